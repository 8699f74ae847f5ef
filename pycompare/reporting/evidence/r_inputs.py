"""Inputs that the calls of a report's R program take from R itself.

Python gives a call nothing that R can make: arrays come from the data in the folder,
and sets of ranks, families and grids of wins from what R computed before.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from pycompare.base.interop.rscript import quote, value
from pycompare.base.tables import MadeColumn
from pycompare.base.typing import Floats, Indices
from pycompare.data.source import Source
from pycompare.designs.family import FamilyResult
from pycompare.kernels.ranks import midranks
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.reporting.evidence.csv_text import no_formula
from pycompare.results.result import PairsResult, Test

SAME = 1e-12
"""Relative difference of two ways to compute a number."""
_POSITIONS = ("positions", "mean_ranks", "means", "area")
"""What R calls the quantity of each algorithm that pairs differ in."""

Made: TypeAlias = tuple[Floats, str]
"""An array, and the R code that makes it."""
LabelsOf: TypeAlias = Callable[[Sequence[str]], str]


class DataInR:
    """How R makes the arrays of a program of the data in the folder of a report.

    Parameters
    ----------
    file : (str, str), optional
        Name and SHA-256 of the user's file.
    """

    own_stems: tuple[str, ...] = ()
    """The R files that read the data."""
    file = ""
    """The data in the folder."""

    def __init__(self, file: tuple[str, str] | None = None) -> None:
        self.made_of = file

    @property
    def stems(self) -> tuple[str, ...]:
        """The R files with the functions for it."""
        return ("from_results", *self.own_stems)

    @property
    def origin(self) -> str:
        """The file of the data, with the hash of the user's."""
        of = ""
        if self.made_of is not None:
            of = ", made of {}, SHA-256 {}".format(*self.made_of)
        return f"data/{self.file}, whose SHA-256 is in manifest.json{of}"

    def begun(
        self, name: str, copy: str, own: str, columns: str, file: tuple[str, str]
    ) -> dict[str, str]:
        """Return the lines that read the user's file if it is there, else the copy.

        ``own`` reads ``own_path``; ``columns`` are those that must be the same;
        ``file`` is the name of the user's file and its hash.
        """
        of = ", ".join(map(quote, file))
        read = f"same_as_copy({own}, data_copy, {columns})"
        return {
            "data_copy": copy,
            "own_path": f"own_file(folder, {of}, {quote(self.file)})",
            name: f"if (is.null(own_path)) data_copy else {read}",
        }

    @property
    @abstractmethod
    def reading(self) -> Mapping[str, str]:
        """Objects that R makes of the file first: code by name."""

    @abstractmethod
    def arrays(self) -> Iterator[Made]:
        """Yield the arrays that R makes of the data, with their code.

        That of a matrix with names has ``NAMES`` for them.
        """

    def labels(self, labels: Sequence[str]) -> str | None:
        """Return the R code of many labels of rows, None without."""
        return None

    @cached_property
    def codes(self) -> dict[bytes, str]:
        """The code of each array by its numbers."""
        codes: dict[bytes, str] = {}
        for values, code in self.arrays():
            codes.setdefault(_key_of(values), code)
        return codes

    def code(self, values: Floats, columns: tuple[str, ...] | None) -> str | None:
        """Return the R code of an array, with ``NAMES`` for labels; None without."""
        return self.codes.get(_key_of(values))

    def stage(self, result: Any) -> int:
        """Return 0, or more for a result that follows from others."""
        if isinstance(result, RankSets):
            return 2
        return int(isinstance(result, FamilyResult | SignGridResult))

    def of_results(
        self, result: Any, computed: Mapping[str, Any], named: LabelsOf
    ) -> Iterator[Made]:
        """Yield the arrays that the call of a result takes from earlier results."""
        if isinstance(result, FamilyResult):
            yield from _family(result, computed)
        elif isinstance(result, SignGridResult):
            yield from _wins(result, computed, named)
        elif isinstance(result, RankSets):
            yield from _ranks(result.pairs, computed, named)


def file_of(source: Source | None) -> tuple[str, str] | None:
    """Return the name and the hash of the user's file, if there is one."""
    return None if source is None else (source.name, source.sha256)


def columns_code(columns: Mapping[str, str]) -> str:
    """Return the R code of the names of columns by their roles."""
    named = (f"{role} = {quote(name)}" for role, name in columns.items())
    return f"c({', '.join(named)})"


def in_order(codes: Indices, labels: Sequence[str]) -> str:
    """Return R code of labels if they do not come in their order; else nothing."""
    first = np.unique(codes, return_index=True)
    come = first[0][np.argsort(first[1])]
    if len(come) == len(labels) and (np.diff(come) > 0).all():
        return ""
    return value([no_formula(label) for label in labels])


def _key_of(values: Floats) -> bytes:
    """Return what two arrays of the same numbers and shape share."""
    held = np.ascontiguousarray(values, float) + 0.0  # -0.0 is 0.0
    digest = hashlib.blake2b(np.ascontiguousarray(held).data)
    digest.update(repr(held.shape).encode())
    return digest.digest()


def _numbers(name: str, result: Any, of: str) -> Made | None:
    """Return numbers of a result in R, None without."""
    if result.r_call() is None or of not in (known := result.r_values()):
        return None
    return np.atleast_1d(np.asarray(known[of], float)), f"{name}${of}"


def _family(family: FamilyResult, computed: Mapping[str, Any]) -> Iterator[Made]:
    """Yield the raw p-values of all tables of a family."""
    codes, parts = [], []
    for member in family.families[0].members:
        raw = member.tested_by
        names = [n for n, r in computed.items() if r is member or r is raw]
        own = _numbers(names[0], computed[names[0]], "p_value") if names else None
        if own is None:
            return
        parts.append(own[0])
        codes.append(own[1])
    yield np.concatenate(parts), f"as.numeric(c({', '.join(codes)}))"


def _wins(
    grid: SignGridResult, computed: Mapping[str, Any], named: LabelsOf
) -> Iterator[Made]:
    """Yield the wins of a grid, row by row of a result."""
    wins = np.asarray(grid.wins.wins, float)
    for name, result in computed.items():
        for of in ("wins", "grid"):
            own = _numbers(name, result, of)
            if own is not None and np.array_equal(own[0], wins.ravel()):
                labels = named(grid.wins.algorithms)
                shape = f"{len(wins)}, {len(wins)}, TRUE, list({labels}, {labels})"
                yield wins, f"matrix({own[1]}, {shape})"
                return


def _ranks(
    pairs: PairsResult, computed: Mapping[str, Any], named: LabelsOf
) -> Iterator[Made]:
    """Yield adjusted p-values of pairs, and their order, or who is better in each."""
    labels = named(pairs.algorithms)
    p = _p_adjusted(pairs, computed)
    if p is not None:
        yield pairs.square("p_adjusted"), f"square_of({p}, {labels})"
    for name, result in computed.items():
        code = _order(pairs, name, result, labels)
        if code is not None:
            yield code
            return


def _order(pairs: PairsResult, name: str, result: Any, labels: str) -> Made | None:
    """Return positions of algorithms, or who is better, as R computes them."""
    same = isinstance(result, PairsResult) and result.row_labels() == pairs.row_labels()
    code = _estimates(pairs, name, result) if same else None
    if code is not None:
        of = _labelled(code, result, known=result.r_named)
        lower = str(pairs.lower_is_better).upper()
        given = f"{of}, {labels}, {pairs.null:g}, {lower}"
        if pairs.counts_better:
            return pairs.better().astype(float), f"better_of({given})"
        positions = np.asarray(pairs.held("positions"), float)
        if _same_order(positions, _positions_of(pairs)):
            return positions, f"positions_of({given})"
    if pairs.counts_better or isinstance(result, RankSets):
        return None
    positions = np.asarray(pairs.held("positions"), float)
    for of in _POSITIONS:
        own = _numbers(name, result, of)
        if own is None or own[0].shape != positions.shape:
            continue
        for sign in ("", "-"):
            if _same_order(positions, -own[0] if sign else own[0]):
                return positions, f"{sign}as.numeric({own[1]})"
    return None


def _estimates(pairs: PairsResult, name: str, result: PairsResult) -> str | None:
    """Return the code of the estimates of a result, if they are those of pairs."""
    own: Any = pairs.as_columns().as_stored("estimate")
    other: Any = result.as_columns().as_stored("estimate")
    if isinstance(own, MadeColumn) or isinstance(other, MadeColumn):
        known = own is other and result.r_call() is not None
        return f"{name}$estimate" if known else None
    estimate = _numbers(name, result, "estimate")
    if estimate is None or not np.array_equal(estimate[0], own):
        return None
    return estimate[1]


def _positions_of(pairs: PairsResult) -> Floats:
    """Return positions as R's ``positions_of`` makes them of the estimates."""
    away = pairs.square("estimate")
    away = np.log(away) if pairs.null == 1 else away - pairs.null
    np.fill_diagonal(away, 0)
    means = away.mean(axis=1)
    size = float(np.abs(means).max())
    steps = np.round(means / (size or 1), 10)
    return steps if pairs.lower_is_better else -steps


def _same_order(first: Floats, second: Floats) -> bool:
    """Return whether two rows of positions have the same ranks."""
    if np.isnan(second).any():
        return False
    return bool(np.array_equal(midranks(first), midranks(second)))


def _labelled(code: str, pairs: PairsResult, *, known: bool) -> str:
    """Return numbers of pairs under the names of the pairs, which R may know."""
    if known:
        return code
    names = value([" - ".join(pair) for pair in pairs.row_labels()])
    return f"setNames(as.numeric({code}), {names})"


def _p_adjusted(pairs: PairsResult, computed: Mapping[str, Any]) -> str | None:
    """Return the code of the adjusted p-values of pairs under their names."""
    p = np.asarray(pairs.as_columns()["p_adjusted"], float)
    gates: list[tuple[Floats, str]] = [(np.zeros(1), "")]
    for name, result in computed.items() if pairs.gate is not None else ():
        known = _numbers(name, result, "p_value") if isinstance(result, Test) else None
        if known is not None:
            gates.append((known[0][:1], known[1]))
    for own, code in _adjusted(pairs, computed):
        for least, gate in gates:
            if np.array_equal(np.maximum(own, least), p, equal_nan=True):
                return f"at_least({code}, {gate})" if gate else code
    return None


def _may_have(pairs: PairsResult, result: PairsResult) -> bool:
    """Return whether a result has p-values of pairs, or would compute its own only."""
    own: Any = pairs.as_columns().as_stored("p_adjusted")
    other: Any = result.as_columns().as_stored("p_adjusted")
    return own is other or not isinstance(other, MadeColumn)


def _adjusted(pairs: PairsResult, computed: Mapping[str, Any]) -> Iterator[Made]:
    """Yield p-values of the same pairs that R computed, under their names."""
    rows = pairs.row_labels()
    for name, result in computed.items():
        if isinstance(result, FamilyResult):
            for start, member in result.members():
                own = _numbers(name, result, f"p_{member.adjust}")
                if own is None or member.row_labels() != rows:
                    continue
                part = slice(start, start + len(rows))
                code = f"{own[1]}[{start + 1}:{start + len(rows)}]"
                yield own[0][part], _labelled(code, pairs, known=False)
        elif isinstance(result, PairsResult) and result.row_labels() == rows:
            if not _may_have(pairs, result):
                continue
            own = _numbers(name, result, "p_adjusted")
            if own is not None:
                yield own[0], _labelled(own[1], result, known=result.r_named)
        elif len(rows) == 1 and (own := _numbers(name, result, "p_value")):
            if own[0].size == 1:
                yield own[0], _labelled(own[1], pairs, known=False)
