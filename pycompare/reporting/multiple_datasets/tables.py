"""The tables of several data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas as pd

from pycompare.analyses.decisions import Decision, unable
from pycompare.analyses.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.formatting.numbers import number
from pycompare.linear.anova import AnovaResult
from pycompare.over_datasets.sign_grid import SignGridResult
from pycompare.reporting import document as doc
from pycompare.reporting import rank_tests as rank_tables
from pycompare.reporting.content import build, win_tables, wording
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.outcomes import NAMES, method
from pycompare.reporting.content.win_tables import counts_for_csv
from pycompare.reporting.document import p_text
from pycompare.reporting.multiple_datasets.words import ASKS
from pycompare.results import rejected

_MOST_DETAIL_ROWS = 2000
"""Rows of pairs of all data sets on the page; with more only the CSV file has them."""
MOST_FOLDED = 5
"""Data sets in a row that stand by themselves; more are folded once again."""
_TERMS = {"block": "data set", "block in dataset": "fold in data set"}
_TERMS["dataset"] = "data set"
_ANOVAS = {
    "means": "Blocked ANOVA of data-set means; the residual is the interaction of "
    "algorithm and data set",
    "model": "ANOVA of all folds, algorithms adjusted for folds",
}


def blocks(analysis: DatasetsAnalysis, alpha: float) -> Iterator[doc.Block]:
    """Yield the primary comparison, wins, the other comparisons, and each data set."""
    others = ("ranks", "means", "model")
    order = sorted(others, key=lambda key: key != analysis.verdict)
    first, *rest = [one for key in order for one in _over(analysis, key, alpha)]
    signs = [p for p in analysis.by("sign").pairs if isinstance(p, SignGridResult)]
    wins_shown = (
        doc.Paragraph(ASKS["sign"]),
        win_tables.wins(analysis.wins),
        win_tables.sign_rows(signs, alpha),
    )
    wins_fold = doc.Fold("Wins over data sets", wins_shown, "")
    yield from [wins_fold, first] if analysis.verdict == "sign" else [first, wins_fold]
    title = "Agreement of the comparisons over data sets"
    yield doc.Fold(title, (agreement(analysis, alpha),), "")
    yield from rest
    caption = "Do differences between algorithms change from data set to data set?"
    interaction = build.tests(caption, [analysis.interaction])
    yield doc.Fold("Interaction of algorithm and data set", (interaction,), "")
    yield doc.Fold("Data set by data set", (summary(analysis, alpha),), "")
    yield from _one_by_one([*_details(analysis, alpha)])


def _over(analysis: DatasetsAnalysis, key: str, alpha: float) -> Iterator[doc.Block]:
    """Yield one comparison over data sets."""
    found = analysis.by(key)
    decides = key == analysis.verdict
    role = "" if decides else "Sensitivity analysis."
    about = doc.Paragraph(ASKS[found.key])
    if key == "ranks" and analysis.ranks is not None:
        blocks = (about, *rank_tables.blocks(analysis.ranks, alpha, role, "ranks_"))
    elif key == "ranks":
        caption = "Tests of no difference between data-set means, two-sided."
        blocks = (about, build.tests(caption, analysis.two))
    else:
        table = build.pairs(found, alpha, role, f"{key}_pairs")
        made = None
        if isinstance(found.test, AnovaResult):
            caption = f"{_ANOVAS[key]} ({found.test.reference})."
            made = build.anova(caption, found.test, _TERMS)
        blocks = doc.present(about, made, table)
    yield (doc.Section if decides else doc.Fold)(
        wording.begun(NAMES[found.key]), blocks, ""
    )


def _one_by_one(folds: Sequence[doc.Fold]) -> Sequence[doc.Fold]:
    """Return parts of the same kind, many folded once again."""
    if len(folds) <= MOST_FOLDED:
        return folds
    title = f"{folds[0].title} to {folds[-1].title}, {len(folds)} one by one"
    return [doc.Fold(title, tuple(folds), "")]


def _details(analysis: DatasetsAnalysis, alpha: float) -> Iterator[doc.Fold]:
    rows = sum(len(found.decisive.table) for found in analysis.each)
    files = doc.Paragraph(
        "The pairs of all data sets are in tables/data_set_pairs.csv."
    )
    for found in analysis.each:
        shown = _pairs_of(found, alpha) if rows <= _MOST_DETAIL_ROWS else files
        text = doc.Paragraph(_on_dataset(found, alpha))
        yield doc.Fold(f"Data set {found.dataset}", (text, means(found), shown), "")


def _on_dataset(found: OnDataset, alpha: float) -> str:
    """Return what the folds of one data set show."""
    test = found.omnibus
    if test.notes and pd.isna(test.p_value):
        return f"{found.n_folds} folds. Nothing can be tested: {test.notes[-1]}."
    made = sum(d.rejected for d in found.decisions)
    return (
        f"{found.n_folds} folds; ANOVA {wording.test_result(test, alpha)}; {made} of "
        f"{len(found.decisions)} pairs differ significantly."
    )


def agreement(analysis: DatasetsAnalysis, alpha: float) -> doc.Table:
    """Return what each comparison over data sets finds for each pair."""
    known = [{d.pair: d for d in found.decisions} for found in analysis.over]
    hopeless = [
        set() if found is analysis.planned else unable(found.decisive, alpha)
        for found in analysis.over
    ]

    def by(made: dict[frozenset[str], Decision]) -> Callable[[Decision], doc.Inline]:
        return lambda planned: _agreed(made[planned.pair], planned.better, alpha)

    def agree(planned: Decision) -> str:
        each = zip(known, hopeless, strict=True)
        found = {_winner(m[planned.pair]) for m, no in each if planned.pair not in no}
        return "yes" if len(found) == 1 else "no"

    few = " Tests that cannot reach significance with so few data sets do not count."
    return build.table(
        f"Adjusted p-values of each comparison. Bold: significant (alpha = {alpha:g}), "
        f"in favour of the first algorithm unless the other is named."
        + few
        * any(hopeless),
        analysis.decisions,
        Field("Pair", "label", lambda made: f"{made.better} – {made.worse}"),
        Field("all agree", "text", agree),
        *(
            Field(_heading(analysis, found), "digits", by(made))
            for found, made in zip(analysis.over, known, strict=True)
        ),
        file="agreement",
    )


def _heading(analysis: DatasetsAnalysis, found: OverDatasets) -> str:
    """Return the title of a column of p-values."""
    mark = " (primary)" if found.key == analysis.verdict else ""
    return f"{wording.begun(NAMES[found.key])}{mark}: {method(found.decisive)}"


def _winner(made: Decision) -> str:
    """Return whom a decision favours, or nobody."""
    return made.better if made.rejected else ""


def _agreed(made: Decision, first: str, alpha: float) -> doc.Inline:
    """Return a p-value; the winner is named where it is the second of the pair."""
    turned = f" for {made.better}" if _winner(made) not in ("", first) else ""
    text = f"{p_text(made.p_adjusted, alpha)}{turned}"
    return (doc.Strong(text),) if made.rejected else text


def summary(analysis: DatasetsAnalysis, alpha: float) -> doc.Table:
    """Return one row a data set: its test, its best algorithm, its pairs."""
    control = analysis.wins.control
    last = (
        Field("not significantly worse", "text", _near)
        if control is None
        else Field(f"better / worse than {control}", "digits", _beside)
    )
    return build.table(
        f"Each data set: blocked ANOVA of its folds, best algorithm and significant "
        f"pairs. Pairs: {analysis.wins.method}, alpha = {analysis.wins.alpha:g} on "
        f"each data set.",
        analysis.each,
        Field("Data set", "label", "dataset"),
        Field("p", "p", lambda on: on.omnibus.p_value, alpha),
        Field("F", "number", lambda on: on.omnibus.statistic),
        Field("folds", "count", "n_folds"),
        Field("best mean", "text", _best),
        last,
        Field(
            "significant pairs",
            "digits",
            lambda on: (
                f"{sum(d.rejected for d in on.decisions)} of {len(on.decisions)}"
            ),
        ),
        file="data_sets",
    )


def _best(found: OnDataset) -> str:
    name = str(found.decisive.positions.idxmin())
    return f"{name}, {number(found.means[name])}"


def _near(found: OnDataset) -> str:
    """Return the algorithms that are not significantly worse than the best."""
    name = str(found.decisive.positions.idxmin())
    known = {
        other
        for made in found.decisions
        if name in made.pair and not made.rejected
        for other in made.pair - {name}
    }
    return ", ".join(other for other in found.decisive.algorithms if other in known)


def _beside(found: OnDataset) -> str:
    made = [d for d in found.decisions if d.rejected]
    worse = sum(d.better == found.decisive.control for d in made)
    return f"{len(made) - worse} / {worse}"


def means(found: OnDataset) -> doc.Table:
    """Return the algorithms of one data set by mean, with letters if there are any."""
    order = found.decisive.positions.sort_values(kind="stable").index
    title, shared = f"mean {found.metric.name}", found.letters
    caption = f"{found.dataset}: algorithms by {title}, best first."
    if shared is None:
        return build.positions(caption, found.means[order], title)
    caption += " Algorithms that share a letter do not differ significantly."
    letters = Field("letters", "digits", lambda name: shared[name])
    return build.positions(caption, found.means[order], title, letters)


def _pairs_of(found: OnDataset, alpha: float) -> doc.Table:
    """Return all pairs of one data set."""
    role = f"{found.dataset}."
    if found.sizes is not None:
        ratio = found.sizes["n_test"] / found.sizes["n_train"]
        role = f"{role} Corrected with n_test/n_train = {ratio:.6g}."
    return build.of_pairs(
        found.pairs,
        alpha,
        better_is_negative=found.metric.better == "lower",
        role=role,
        file="data_set_pairs",
    )


def csv_tables(analysis: DatasetsAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables of one metric for CSV files, full precision."""
    found = {
        "agreement": analysis.agreement(),
        "wins": counts_for_csv(analysis.wins),
        "data_set_pairs": analysis.wins.decisions,
        "data_sets": pd.DataFrame(_rows_of(analysis)),
    }
    for one in analysis.over:
        if one.key != "ranks" or analysis.ranks is None:
            found[f"{one.key}_pairs"] = one.pairs_table()
        if isinstance(one.test, AnovaResult):
            found[f"{one.key}_anova"] = one.test.to_frame()
    if analysis.ranks is not None:
        ranks = rank_tables.csv_tables(analysis.ranks)
        found |= {f"ranks_{name}": table for name, table in ranks.items()}
    found["interaction"] = analysis.interaction.to_frame()
    return found


def _rows_of(analysis: DatasetsAnalysis) -> Iterator[dict[str, Any]]:
    """Yield one row a data set and algorithm: mean and letters, and the test."""
    for found in analysis.each:
        for name in found.decisive.algorithms:
            letters = {} if found.letters is None else {"letters": found.letters[name]}
            yield {
                "dataset": found.dataset,
                "folds": found.n_folds,
                "statistic": found.omnibus.statistic,
                "p_value": found.omnibus.p_value,
                "rejected": bool(rejected(found.omnibus.p_value, analysis.wins.alpha)),
                "algorithm": name,
                "mean": found.means[name],
                **letters,
            }
