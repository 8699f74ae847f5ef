"""Groups of predictions in Parquet files: their row groups, and their cases.

A first look reads the columns of labels only and counts the rows of each group in each
row group. Then groups are taken together in portions of bounded size, and a portion
reads the row groups that hold its groups. Data sorted or partitioned by group are read
once that way; ``scattered_rows`` sorts others by portion first.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, refused
from pycompare.base.labels import label_text, levels, require_two, show
from pycompare.base.typing import Indices
from pycompare.data.block_labels import BlockLabels, of_pairs
from pycompare.data.cells import finite_scores
from pycompare.data.classes import LEFT_OUT, two_classes
from pycompare.data.frames import as_table
from pycompare.data.measured import cell_name
from pycompare.data.partitions import ParquetFile, damages, require_columns
from pycompare.data.roles import RoleColumns

if TYPE_CHECKING:
    from pyarrow import parquet

_BATCH = 2**18
"""Rows decoded at a time."""


class RowGroup(NamedTuple):
    """A row group of a file."""

    part: int
    row_group: int


class Portion(NamedTuple):
    """Groups that are read together, and the row groups that hold their rows."""

    groups: tuple[int, ...]
    pieces: tuple[RowGroup, ...]


@dataclass(frozen=True, eq=False)
class GroupLayout:
    """Where the groups lie: all that a process needs to read them.

    Attributes
    ----------
    parts : tuple of ParquetFile
    columns : RoleColumns
    labels : BlockLabels
    algorithm_codes : dict
        Label to place among the algorithms.
    block_codes : dict
        (data set if there are several, fold) to place in ``labels``.
    counts : ndarray of int, shape (n_blocks * n_algorithms,)
        Rows of each group, cases of other classes included.
    held : dict of RowGroup to ndarray of int
        The groups of each row group.
    rows : dict of RowGroup to int
        The number of rows of each row group.
    """

    parts: tuple[ParquetFile, ...]
    columns: RoleColumns
    labels: BlockLabels
    algorithm_codes: dict[str, int]
    block_codes: dict[tuple[str, str], int]
    counts: Indices
    held: dict[RowGroup, Indices]
    rows: dict[RowGroup, int]

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Labels of the algorithms."""
        return tuple(self.algorithm_codes)

    @property
    def roles(self) -> dict[str, str]:
        """Column of each role that has one."""
        return self.columns.roles("predictions")

    @property
    def row(self) -> np.dtype[Any]:
        """Form of a row: group, class (or LEFT_OUT), score, hash of the case."""
        fields = [("group", np.uint32), ("side", np.int8), ("score", np.float64)]
        return np.dtype(fields + [("case", np.uint64)] * ("case" in self.roles))

    def name_of(self, group: int) -> str:
        """Return how messages call a group."""
        block, algorithm = divmod(group, len(self.algorithms))
        return cell_name(self.labels.block[block], self.algorithms[algorithm])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.counts.sum())

    def portions(self, rows: int) -> tuple[Portion, ...]:
        """Take groups together in the order in which they lie, up to ``rows`` rows."""
        order = list(
            dict.fromkeys(g for held in self.held.values() for g in held.tolist())
        )
        bins: list[list[int]] = []
        filled = rows + 1
        for group in order:
            size = int(self.counts[group])
            if filled + size > rows:
                bins.append([])
                filled = 0
            bins[-1].append(group)
            filled += size
        portion_of = np.full(self.counts.size, -1)
        for number, groups in enumerate(bins):
            portion_of[groups] = number
        pieces: list[list[RowGroup]] = [[] for _ in bins]
        for piece, held in self.held.items():
            for number in np.unique(portion_of[held]).tolist():
                pieces[number].append(piece)
        pairs = zip(bins, pieces, strict=True)
        return tuple(Portion(tuple(g), tuple(p)) for g, p in pairs)

    def passes(self, portions: Sequence[Portion]) -> float:
        """Return how often a row is read on average, if portions read row groups."""
        read = sum(self.rows[piece] for portion in portions for piece in portion.pieces)
        return read / self.n_rows


class RowBatch(NamedTuple):
    """Rows in the form ``GroupLayout.row``; the labels of classes that occur.

    ``truth_scores``: scores are true and false.
    """

    rows: NDArray[Any]
    labels: tuple[str, ...]
    truth_scores: bool

    def in_groups(self, n_groups: int) -> tuple[NDArray[Any], Indices]:
        """Return the rows of the two classes in the order of groups, and their ends.

        Within a group they stay in their order.
        """
        rows = self.rows[self.rows["side"] != LEFT_OUT]
        group = small(rows["group"], n_groups)
        sizes = np.bincount(group, minlength=n_groups)
        order = np.argsort(group, kind="stable")
        # Of rows of several fields "take" is eight times as fast as an index.
        return rows.take(order), np.concatenate(([0], np.cumsum(sizes)))


def joined(batches: Iterable[RowBatch], choice: ClassChoice) -> RowBatch:
    """Return the rows of several batches as one.

    Raises
    ------
    InputError
        If there are more than two classes.
    """
    held = list(batches)
    labels = tuple(dict.fromkeys(label for batch in held for label in batch.labels))
    # Other labels may occur elsewhere, so all are checked together at the end.
    chosen = label_text(choice.positive)
    free = choice.classes is None and not choice.rest
    if free and len(labels) > 2 and chosen in labels:
        two_classes(labels, positive=choice.positive)
    rows = np.concatenate([batch.rows for batch in held])
    return RowBatch(rows, labels, any(batch.truth_scores for batch in held))


class ClassChoice(NamedTuple):
    """Which class is positive, as in `Predictions.from_frame`."""

    positive: object
    rest: bool = False
    classes: tuple[object, ...] | None = None


# ---- the first look ------------------------------------------------------------------


def look(parts: tuple[ParquetFile, ...], columns: RoleColumns) -> GroupLayout:
    """Find the groups of all row groups.

    Raises
    ------
    InputError
        If a file cannot be read or lacks a column, a label is missing or reads like
        another, or there are fewer than two algorithms.
    """
    roles = columns.roles("predictions")
    names = [roles[role] for role in _keys_of(roles)]
    _require_roles(roles)
    keys: dict[tuple[Any, ...], int] = {}
    in_row_groups: dict[RowGroup, Counter[int]] = {}
    for number, part in enumerate(parts):
        stored = [name for name in names if name not in part.keys]
        with _opened(part, names) as file:
            require_columns(part, list(roles.values()), file.schema_arrow.names)
            for row_group in range(file.num_row_groups):
                counts = in_row_groups[RowGroup(number, row_group)] = Counter()
                for batch in file.iter_batches(_BATCH, [row_group], stored):
                    for key, count in _distinct_keys(batch, part, names):
                        counts[keys.setdefault(key, len(keys))] += count
    if not keys:
        raise InputError("there are no rows")
    return _layout(parts, columns, list(keys), in_row_groups)


def _require_roles(roles: dict[str, str]) -> None:
    taken: dict[str, str] = {}
    for role, name in roles.items():
        if name in taken:
            raise InputError(
                f"column {show(name)} has two roles, {taken[name]} and {role}; "
                "name a column for each"
            )
        taken[name] = role


def _distinct_keys(
    batch: Any, part: ParquetFile, names: Sequence[str]
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Distinct keys of a batch in order of first appearance, with their counts."""
    columns = [_role(batch, part, name) for name in names]
    code, n_codes = np.zeros(batch.num_rows, np.intp), 1
    for codes, distinct in columns:
        code, n_codes = code * len(distinct) + codes, n_codes * len(distinct)
    _, first, counts = np.unique(
        small(code, n_codes), return_index=True, return_counts=True
    )
    for i in np.argsort(first).tolist():
        key = [distinct[codes[first[i]]] for codes, distinct in columns]
        yield tuple((type(value), value) for value in key), int(counts[i])


def _layout(
    parts: tuple[ParquetFile, ...],
    columns: RoleColumns,
    keys: list[tuple[Any, ...]],
    in_row_groups: dict[RowGroup, Counter[int]],
) -> GroupLayout:
    values = [[value for _, value in column] for column in zip(*keys, strict=True)]
    roles = columns.roles("predictions")

    def place(index: int) -> str:
        return f"distinct value {index + 1}"

    of_column = {
        role: levels(column, what=f"column {show(roles[role])}", row=place)
        for role, column in zip(_keys_of(roles), values, strict=True)
    }
    algorithm, fold, dataset = map(of_column.get, ("algorithm", "block", "dataset"))
    assert algorithm and fold
    require_two("algorithms", algorithm.labels)
    folds = [fold.labels[i] for i in fold.codes]
    within = [""] * len(keys)
    if dataset is not None:
        within = [dataset.labels[i] for i in dataset.codes]
    block_codes: dict[tuple[str, str], int] = {}
    block = [
        block_codes.setdefault(pair, len(block_codes))
        for pair in zip(within, folds, strict=True)
    ]
    labels = of_pairs(list(block_codes))
    if dataset is None:
        labels = BlockLabels(tuple(fold for _, fold in block_codes))
    group = np.array(block) * len(algorithm.labels) + algorithm.codes
    counts = np.zeros(len(labels) * len(algorithm.labels), np.intp)
    held, sizes = {}, {}
    for piece, of_keys in in_row_groups.items():
        held[piece], sizes[piece] = group[list(of_keys)], of_keys.total()
        np.add.at(counts, held[piece], list(of_keys.values()))
    codes = {name: i for i, name in enumerate(algorithm.labels)}
    return GroupLayout(parts, columns, labels, codes, block_codes, counts, held, sizes)


def _keys_of(roles: Mapping[str, str]) -> list[str]:
    """Return the roles whose columns identify the group of a row."""
    return [role for role in ("dataset", "block", "algorithm") if role in roles]


# ---- reading groups ------------------------------------------------------------------


def read_groups(layout: GroupLayout, portion: Portion, choice: ClassChoice) -> RowBatch:
    """Read the rows of some groups, which get their places in the portion.

    Raises
    ------
    InputError
        If a score or a label cannot be used, or there are more than two classes.
    """
    number_in = np.full(layout.counts.size, -1)
    number_in[list(portion.groups)] = range(len(portion.groups))
    batches = []
    for batch in read_rows(layout, portion.pieces, choice):
        number = number_in[batch.rows["group"]]
        rows = batch.rows if (number >= 0).all() else batch.rows[number >= 0]
        rows["group"] = number[number >= 0]
        batches.append(batch._replace(rows=rows))
    return joined(batches, choice)


def _sides_of(labels: Sequence[str], choice: ClassChoice) -> NDArray[np.int8]:
    """Return the side of each label."""
    chosen = label_text(choice.positive)
    sides = [int(label == chosen) for label in labels]
    if choice.classes is not None:
        pair = [label_text(label) for label in choice.classes]
        both = zip(labels, sides, strict=True)
        sides = [side if label in pair else LEFT_OUT for label, side in both]
    return np.array(sides, np.int8)


def small(codes: NDArray[Any], count: int) -> NDArray[Any]:
    """Return codes as 16-bit numbers if they fit: NumPy sorts these by counting."""
    return codes.astype(np.uint16) if count <= 2**16 else codes


def read_rows(
    layout: GroupLayout, pieces: Sequence[RowGroup], choice: ClassChoice
) -> Iterator[RowBatch]:
    """Read all rows of some row groups, a batch at a time.

    Raises
    ------
    InputError
        If a score or a label cannot be used.
    """
    roles = layout.roles
    for number, of_part in groupby(pieces, lambda piece: piece.part):
        part = layout.parts[number]
        inside = [name for name in roles.values() if name not in part.keys]
        text = [name for name in inside if name != roles["score"]]
        file_name = "" if part.is_input else f"{part.name}, "
        with _opened(part, text) as file:
            for _, row_group in of_part:
                place, first = f"{file_name}row group {row_group}, counted from row", 1
                for batch in file.iter_batches(_BATCH, [row_group], inside):
                    yield _read_batch(layout, part, batch, choice, f"{place} {first}")
                    first += batch.num_rows


def _read_batch(
    layout: GroupLayout, part: ParquetFile, batch: Any, choice: ClassChoice, place: str
) -> RowBatch:
    roles = layout.roles
    columns = {
        role: _role(batch, part, name)
        for role, name in roles.items()
        if role != "score"
    }
    codes, values = columns["label"]
    labels = tuple(label_text(value) for value in values)
    rows = np.empty(batch.num_rows, layout.row)
    rows["group"] = _group_of(layout, columns)
    rows["side"] = _sides_of(labels, choice)[codes]
    rows["score"], truth_scores = _scores(batch, roles["score"], place)
    if "case" in columns:
        rows["case"] = _hashes(*columns["case"])
    return RowBatch(rows, labels, truth_scores)


def _role(batch: Any, part: ParquetFile, name: str) -> tuple[Indices, list[Any]]:
    if name in part.keys:
        return np.zeros(batch.num_rows, np.intp), [part.keys[name]]
    return _encoded(batch[name], name, part)


def _group_of(
    layout: GroupLayout, columns: dict[str, tuple[Indices, list[Any]]]
) -> Indices:
    codes, values = columns["algorithm"]
    algorithm = np.array([layout.algorithm_codes[label_text(v)] for v in values])[codes]
    codes, values = columns["block"]
    dataset, names = columns.get("dataset", (np.intp(0), [""]))
    # A pair that does not occur is -1, and no row asks for it.
    block = np.array(
        [
            [layout.block_codes.get((label_text(d), label_text(v)), -1) for v in values]
            for d in names
        ]
    )
    groups: Indices = block[dataset, codes] * len(layout.algorithms) + algorithm
    return groups


def _scores(batch: Any, name: str, place: str) -> tuple[NDArray[np.float64], bool]:
    """Return the scores, and whether they are true and false."""
    import pyarrow as pa

    table = as_table(pa.table({name: batch[name]}))
    try:
        return finite_scores(table, name), name in table.truth_columns
    except InputError as error:
        raise error.at(place) from None


def _hashes(codes: Indices, values: list[Any]) -> NDArray[np.uint64]:
    """Return a number for each case's label, the same in every process."""
    from pandas.util import hash_array

    text = np.array([label_text(value) for value in values], object)
    hashes: NDArray[np.uint64] = hash_array(text, categorize=False)[codes]
    return hashes


def _encoded(column: Any, name: str, part: ParquetFile) -> tuple[Indices, list[Any]]:
    """Return codes and distinct values of a column of labels.

    Raises
    ------
    InputError
        If a label is missing.
    """
    import pyarrow as pa

    no_label = InputError(
        f"{part.before}column {show(name)} has rows without a label; give each row its "
        "label or remove it"
    )
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if column.null_count:
        raise no_label
    codes = column.indices.to_numpy(zero_copy_only=False).astype(np.intp)
    # Categories that no row has are no labels.
    used = np.flatnonzero(np.bincount(codes, minlength=len(column.dictionary)))
    values = column.dictionary.take(pa.array(used)).to_pylist()
    if any(value is None or value != value for value in values):
        raise no_label
    if used.size < len(column.dictionary):
        codes = np.searchsorted(used, codes)
    return codes, values


@contextmanager
def _opened(part: ParquetFile, text: Sequence[str]) -> Iterator[parquet.ParquetFile]:
    """Open a Parquet file; columns of text come as codes if they are stored so."""
    import pyarrow as pa
    from pyarrow import parquet

    with refused(f"{part.called} cannot be read", *damages()):
        source = pa.OSFile(os.fsencode(part.path))  # a text would have to be UTF-8
        with source:
            told = parquet.read_metadata(source)
            stored = [name for name in text if name in told.schema.names]
            yield parquet.ParquetFile(source, metadata=told, read_dictionary=stored)
