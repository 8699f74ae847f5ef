"""How a program beside pycompare reads the same data from the user's own file.

A recipe names the columns of a file of delimited text. It is kept if a table was read
as it stands: without codes for missing scores, percents, other units or parts left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pycompare.data.missing import BOUNDS
from pycompare.data.roles import RoleColumns
from pycompare.data.table import DataTable

if TYPE_CHECKING:
    from pycompare.data.scores import Scores
    from pycompare.data.source import Source

Recipe = Mapping[str, Any]


def of_scores(
    scores: Scores,
    source: Source,
    table: DataTable,
    columns: RoleColumns,
    *,
    wide: bool,
    answered: bool,
) -> Scores:
    """Return scores whose source has the recipe, if they were read as they stand.

    ``source``: the file, and how it is split into cells.
    ``answered``: whether the owner of the table states that it means something else.
    """
    if source.recipe is None:
        return scores
    # R reads a judge's scores from the copy alone.
    plain = not answered and not table.notes and columns.judge is None
    scored = scores.algorithms if wide else tuple(m.name for m in scores.metrics)
    whole = not scores.dropped.blocks
    whole &= not scores.dropped.cells or scores.missing in ("model", BOUNDS)
    known = {*columns.given().values(), *scored} <= set(table.names)
    recipe = None
    if plain and whole and known and _as_they_come(scores, table, columns):
        recipe = {
            **source.recipe,
            "wide": wide,
            "columns": columns.given(),
            "scores": list(scored),
            "algorithms": list(scores.algorithms),
            "n_blocks": scores.n_blocks,
        }
    return scores.with_source(replace(source, recipe=recipe))


def _as_they_come(scores: Scores, table: DataTable, columns: RoleColumns) -> bool:
    """Return whether labels are in order of appearance, and blocks named by them."""
    if columns.block is None:
        return False
    labels = table.levels(columns.block)
    fold = [labels.labels[k] for k in labels.codes.tolist()]
    blocks: list[Any] = list(dict.fromkeys(fold))
    ours: list[Any] = list(scores.blocks)
    if columns.dataset is not None:
        of = table.levels(columns.dataset)
        dataset = [of.labels[k] for k in of.codes.tolist()]
        blocks = list(dict.fromkeys(zip(dataset, fold, strict=True)))
        names = scores.label_columns()
        step = len(names["dataset"]) // scores.n_blocks
        ours = list(zip(names["dataset"][::step], names["fold"][::step], strict=True))
    runs = True
    if columns.replicate is not None:
        runs = scores.replicates == table.levels(columns.replicate).labels
    return runs and blocks == ours


def rating_recipe(
    source: Source, table: DataTable, roles: Mapping[str, str | None], positive: str
) -> Recipe | None:
    """Return the recipe of ratings with the name and the hash of their file.

    None if they were read otherwise than as they stand.
    """
    columns = {role: name for role, name in roles.items() if name is not None}
    named = set(columns.values()) <= set(table.names)
    if source.recipe is None or table.notes or not named:
        return None
    file = {"name": source.name, "sha256": source.sha256}
    return {**source.recipe, **file, "columns": columns, "positive": positive}


def prediction_recipe(
    own: Recipe, table: DataTable, columns: RoleColumns, positive: str, n_scores: int
) -> Recipe | None:
    """Return the recipe of predictions, a row for each case of an algorithm.

    None if they were read otherwise than as they stand.
    """
    named = set(columns.given().values()) <= set(table.names)
    needed = None not in (columns.algorithm, columns.label, columns.score)
    others = columns.group is not None or columns.replicate is not None
    if table.notes or others or not named or not needed:
        return None
    roles = columns.given()
    return {**own, "columns": roles, "positive": positive, "n_scores": n_scores}
