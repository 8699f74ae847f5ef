"""Ratings: the score that each reader gave to each case with each modality.

Modalities are compared: a classification algorithm, a prompt, an imaging
technique. A reader is a random source of variation that rates cases with it: a person,
a training set, a seed, a judge.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import are, counted, have
from pycompare.base.labels import (
    Levels,
    label_positions,
    label_text,
    show,
    show_all,
    unique_labels,
)
from pycompare.data.classes import Classes, declared, two_classes
from pycompare.data.frames import as_table
from pycompare.data.marks import rated_sites, read_cases
from pycompare.data.missing import take
from pycompare.data.near_labels import refuse_near_labels
from pycompare.data.reading.tables import with_parts
from pycompare.data.table import DataTable, InfiniteError, index_notes

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.data.predictions import Predictions

DesignName = Literal[
    "factorial",
    "cases-in-readers",
    "cases-in-modalities",
    "readers-in-modalities",
    "incomplete",
]
_DESIGNS: tuple[DesignName, ...] = get_args(DesignName)
_LARGEST = 2**28
"""Cells of the array of ratings: more than 2 GB would be needed."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Ratings:
    """Ratings of cases by readers with modalities, checked when they are made.

    Attributes
    ----------
    values : ndarray of float, shape (n_modalities, n_readers, n_cases)
        Higher speaks for the positive class; any scale. NaN if the reader did not
        rate the case with the modality, which only ``design`` allows. Read-only.
    truth : ndarray of bool or None, shape (n_cases,)
        True if the case is positive; None without a column of truth.
    modalities, readers, cases : tuple of str
        Labels, in order of first appearance.
    cluster : ndarray of int or None, shape (n_cases,)
        Position in ``clusters`` of each case.
    clusters : tuple of str
        Groups of dependent cases, such as patients; empty if every case is independent.
    positive, negative : str
        Labels of the classes; empty without truth.
    design : str
        ``"factorial"``, every reader rated every case with every modality; or one of
        the designs of `from_frame`.
    notes : tuple of str
        How the ratings were read, beyond the other attributes.
    recipe : mapping or None
        How R reads the same ratings from the user's file; see ``Source``.
    marks : bool
        Whether these are free-response marks: cases are lesions and normal cases, in
        clusters by case; see ``from_marks``.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"test": t, "reader": r, "case": c, "rating": c * (i + 1), "ill": c > 2}
    ...     for i, t in enumerate(("old", "new")) for r in "ab" for c in range(6)
    ... ]
    >>> pc.Ratings.from_frame(
    ...     rows, modality="test", reader="reader", case="case", rating="rating",
    ...     truth="ill",
    ... )
    <Ratings: 2 modalities x 2 readers x 6 cases (3 positive), factorial>
    """

    values: NDArray[np.float64]
    truth: NDArray[np.bool_] | None
    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    cluster: NDArray[np.intp] | None = None
    clusters: tuple[str, ...] = ()
    positive: str = ""
    negative: str = ""
    design: DesignName = "factorial"
    notes: tuple[str, ...] = ()
    recipe: Mapping[str, Any] | None = None
    marks: bool = False
    read: NDArray[np.bool_] = field(init=False)
    """Which cells hold a rating, shape of ``values``."""

    def __post_init__(self) -> None:
        for name, dtype in (("values", float), ("truth", bool), ("cluster", np.intp)):
            if getattr(self, name) is not None:
                array = np.array(getattr(self, name), dtype)
                object.__setattr__(self, name, _frozen(array))
        for name in ("modalities", "readers", "cases"):
            labels = unique_labels(getattr(self, name), what=name)
            object.__setattr__(self, name, labels)
        _require_shapes(self)
        object.__setattr__(self, "read", _frozen(~np.isnan(self.values)))
        if np.isinf(self.values).any():
            raise InputError("values holds infinite ratings")
        _require_design(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Pickle and copy forget that an array is read-only.
        self.__dict__.update(state)
        for name in ("values", "truth", "cluster", "read"):
            if self.__dict__[name] is not None:
                _frozen(self.__dict__[name])

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        modality: str,
        reader: str,
        case: str,
        rating: str,
        truth: str | None = None,
        positive: object = None,
        cluster: str | None = None,
        design: DesignName = "factorial",
    ) -> Ratings:
        """Read a table with one row for each modality, reader and case.

        Parameters
        ----------
        frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        modality, reader, case : str
            Columns of labels.
        rating : str
            Column of ratings, higher for the positive class; any scale.
        truth : str, optional
            Column of the true classes. Without it there are only means of per-case
            scores, ``mrmc(figure="mean")``.
        positive : text, number or bool, optional
            Which label of ``truth`` is the positive class; may be left out if the
            labels are 0 and 1, or false and true.
        cluster : str, optional
            Column of groups of dependent cases, such as patients with several lesions.
        design : str, default "factorial"
            ``"factorial"``: every reader rates every case with every modality.
            ``"cases-in-readers"``: a reader, or group of readers, has cases of its own,
            rated with every modality. ``"cases-in-modalities"``: a modality has cases
            of its own, rated by every reader. ``"readers-in-modalities"``: a modality
            has readers of its own, who rate every case. ``"incomplete"``: any cells.

        Returns
        -------
        Ratings

        Raises
        ------
        InputError
            If a column is missing or has two roles; a rating is missing, text or
            infinite; a case is rated twice by a reader with a modality, or has two true
            classes; the positive class is unknown; readers or cases have labels that
            differ only in case, blanks or leading zeros; or the table is not of the
            design. A row without a rating is left out of an incomplete design.

        Examples
        --------
        >>> import pycompare as pc
        >>> rows = [
        ...     {"m": m, "r": r, "c": c, "ill": c % 2, "x": (7 * c + 3 * r + m) % 5}
        ...     for m in (1, 2) for r in (1, 2, 3) for c in range(12)
        ... ]
        >>> pc.Ratings.from_frame(
        ...     rows, modality="m", reader="r", case="c", truth="ill", rating="x"
        ... )
        <Ratings: 2 modalities x 3 readers x 12 cases (6 positive), factorial>
        """
        roles = {
            "modality": modality,
            "reader": reader,
            "case": case,
            "rating": rating,
            "truth": truth,
            "cluster": cluster,
        }
        return cls.from_table(as_table(frame), roles, positive=positive, design=design)

    @classmethod
    def from_table(
        cls,
        table: DataTable,
        roles: Mapping[str, str | None],
        *,
        positive: object,
        design: DesignName,
    ) -> Ratings:
        """Read a table whose columns have these roles; see ``from_frame``."""
        names = {k: label_text(v) for k, v in roles.items() if v is not None}
        table = with_parts(table, names.values())
        table.require_roles(names)
        table.require_rows()
        axes = [table.levels(names[name]) for name in ("modality", "reader", "case")]
        _refuse_large(axes, table)
        for what, axis in zip(("modality", "reader", "case"), axes, strict=True):
            counts = np.bincount(axis.codes).tolist()
            refuse_near_labels(axis.labels, counts, what, names[what])
        score = _ratings_of(table, names["rating"], design)
        _refuse_repeats(axes, table)
        rated = ~np.isnan(score)
        axes, score = [_rows(axis, rated) for axis in axes], score[rated]
        truth = _truth(table, names, axes[2], positive, rated)
        shape = tuple(len(axis.labels) for axis in axes)
        values = np.full(shape, np.nan)
        values[tuple(axis.codes for axis in axes)] = score
        groups = _clusters(table, names, axes[2], rated)
        return cls(
            values=values,
            truth=truth.truth,
            modalities=axes[0].labels,
            readers=axes[1].labels,
            cases=axes[2].labels,
            cluster=None if groups is None else groups.codes,
            clusters=() if groups is None else groups.labels,
            positive=truth.positive,
            negative=truth.negative,
            design=design,
            notes=(
                *table.truth_notes,
                *index_notes(table, names.values()),
                *_left_out(rated),
            ),
        )

    @classmethod
    def from_marks(
        cls,
        frame: object,
        *,
        cases: object,
        modality: str,
        reader: str,
        case: str,
        lesion: str,
        rating: str,
        n_lesions: str,
    ) -> Ratings:
        """Read free-response marks, one row per mark, and the table of cases.

        Parameters
        ----------
        frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
            Marks. Every reader is taken to read all cases with every modality.
        cases : as ``frame``
            One row per case, those without a mark too.
        modality, reader, rating : str
            Columns of ``frame``; higher ratings speak for a lesion.
        case : str
            Column of both tables.
        lesion : str
            Column of ``frame``: which lesion of the case the mark is on; missing (None,
            NaN, an empty cell of a file) if it is on none. A reader marks a lesion once
            with a modality.
        n_lesions : str
            Column of ``cases``: number of lesions, 0 of a normal case.

        Returns
        -------
        Ratings
            Of lesions (positive) and normal cases (negative), each with the rating of
            its mark, of a normal case the highest; without a mark with a rating below
            all marks. Cases are clusters. For ``mrmc(figure="wafroc")`` or
            ``"afroc"``.

        Raises
        ------
        InputError
            If a case with marks has no row, has several, or has more marked lesions
            than lesions; a reader has no mark with a modality; a mark has no rating;
            or a lesion is marked twice.
        DesignError
            If no case is normal, or none has a lesion.

        Examples
        --------
        >>> import pycompare as pc
        >>> marks = [
        ...     {"m": m, "r": r, "c": c, "lesion": site, "x": x}
        ...     for m in (1, 2) for r in "ab"
        ...     for c, site, x in [(1, None, 2), (3, "left", 4), (4, "top", 3)]
        ... ]
        >>> cases = [{"c": c, "n": n} for c, n in [(1, 0), (2, 0), (3, 2), (4, 1)]]
        >>> pc.Ratings.from_marks(
        ...     marks, cases=cases, modality="m", reader="r", case="c",
        ...     lesion="lesion", rating="x", n_lesions="n",
        ... )
        <Ratings: 2 modalities x 2 readers x 5 sites (3 lesions) in 4 cases>
        """
        of_marks = {
            "modality": modality,
            "reader": reader,
            "case": case,
            "lesion": lesion,
            "rating": rating,
        }
        of_cases = {"case": case, "n_lesions": n_lesions}
        known = read_cases(as_table(cases), of_cases)
        return cls(**rated_sites(as_table(frame), known, of_marks))

    @classmethod
    def from_predictions(cls, predictions: Predictions) -> Ratings:
        """Treat algorithms as modalities and training sets as readers.

        Parameters
        ----------
        predictions : Predictions
            Of one data set whose blocks are training sets with one common test set, as
            of ``HeldOut``; with named cases.

        Returns
        -------
        Ratings

        Raises
        ------
        InputError
            If cases have no names, or blocks have different test sets.
        """
        return _from_predictions(predictions)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of modalities, readers and cases."""
        t, r, n = self.values.shape
        return t, r, n

    def select(self, modalities: Sequence[str]) -> Ratings:
        """Return the ratings of some modalities, in the order given.

        Readers and cases without ratings are left out.
        """
        at = label_positions("modalities", modalities, self.modalities)
        return self._of(at, list(range(len(self.readers))))

    def without_reader(self, reader: str) -> Ratings:
        """Return the ratings of the other readers.

        Modalities and cases without ratings are left out.
        """
        [gone] = label_positions("readers", [reader], self.readers)
        others = [j for j in range(len(self.readers)) if j != gone]
        read = np.any(self.read[:, others], axis=(1, 2))
        return self._of(np.flatnonzero(read).tolist(), others)

    def _of(self, at: Sequence[int], rated_by: Sequence[int]) -> Ratings:
        """Return the ratings of some modalities and readers, as far as there are."""
        among = np.isin(np.arange(len(self.readers)), rated_by)
        read = self.read[at] & among[:, None]
        readers: NDArray[np.bool_] = np.any(read, axis=(0, 2))
        cases: NDArray[np.bool_] = np.any(read, axis=(0, 1))
        cluster, clusters = self.cluster, self.clusters
        if cluster is not None:
            kept, cluster = np.unique(cluster[cases], return_inverse=True)
            clusters = tuple(clusters[c] for c in kept)
        return replace(
            self,
            values=self.values[at][:, readers][:, :, cases],
            truth=None if self.truth is None else self.truth[cases],
            modalities=tuple(self.modalities[i] for i in at),
            readers=take(self.readers, readers),
            cases=take(self.cases, cases),
            cluster=cluster,
            clusters=clusters,
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a tidy table, one row for each rating."""
        import pandas as pd

        i, j, k = np.nonzero(self.read)
        columns: dict[str, Any] = {
            "modality": np.array(self.modalities, object)[i],
            "reader": np.array(self.readers, object)[j],
            "case": np.array(self.cases, object)[k],
        }
        if self.cluster is not None:
            columns["cluster"] = np.array(self.clusters, object)[self.cluster[k]]
        if self.truth is not None:
            columns["is_positive"] = self.truth[k]
        return pd.DataFrame(columns | {"rating": self.values[i, j, k]})

    @property
    def sha256(self) -> str:
        """Hash of labels, classes and ratings, the same on any machine."""
        names = ("modalities", "readers", "cases", "clusters", "positive", "negative")
        content = {name: getattr(self, name) for name in names}
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
        digest.update(self.values.astype("<f8").tobytes())
        for array in (self.truth, self.cluster):
            digest.update(b"" if array is None else array.astype("<i8").tobytes())
        return digest.hexdigest()

    @property
    def counts(self) -> str:
        """How many modalities, readers and cases there are, in words."""
        t, r, n = self.shape
        if self.marks:
            return (
                f"{counted(t, 'modality', 'modalities')}, {counted(r, 'reader')}, "
                f"{self.sites}"
            )
        of = ""
        if self.truth is not None:
            k = int(self.truth.sum())
            of = f" ({k} positive, {n - k} negative)"
        return (
            f"{counted(t, 'modality', 'modalities')}, {counted(r, 'reader')}, "
            f"{counted(n, 'case')}{of}"
        )

    @property
    def sites(self) -> str:
        """What marks are on, in words."""
        assert self.truth is not None
        n, k = len(self.cases), int(self.truth.sum())
        cases = counted(len(self.clusters), "case")
        return f"{n} sites ({counted(k, 'lesion')}) in {cases}"

    def __repr__(self) -> str:
        t, r, n = self.shape
        if self.marks:
            return f"<Ratings: {t} modalities x {r} readers x {self.sites}>"
        of = "" if self.truth is None else f" ({int(self.truth.sum())} positive)"
        return f"<Ratings: {t} modalities x {r} readers x {n} cases{of}, {self.design}>"


@dataclass(frozen=True, eq=False)
class _Truth:
    """The true class of each case."""

    truth: NDArray[np.bool_] | None
    positive: str = ""
    negative: str = ""


def _ratings_of(table: DataTable, name: str, design: str) -> NDArray[np.float64]:
    """Read the ratings; NaN if one is missing, which incomplete designs allow."""
    try:
        score = table.scores(name)
    except InfiniteError as error:
        raise InputError(
            error.fault + "; an infinite rating is the most extreme one, not a missing "
            "one: give it a finite value beyond all others, such as twice the largest"
        ) from None
    missing = np.flatnonzero(np.isnan(score))
    if not missing.size or design == "incomplete":
        if missing.size == len(score):
            raise InputError(f"column {show(name)} holds no rating")
        return score
    raise InputError(
        f"column {show(name)} has no rating in {missing.size} of {table.n_rows} rows, "
        f"first: {table.row(int(missing[0]))}; add it, leave the case out for all "
        "readers and modalities, or declare that ratings are missing ("
        + setting("design", "incomplete")
        + ")"
    )


def _rows(levels: Levels, kept: NDArray[np.bool_]) -> Levels:
    """Return the labels of some rows; those of no row are left out."""
    if kept.all():
        return levels
    used, codes = np.unique(levels.codes[kept], return_inverse=True)
    return Levels(tuple(levels.labels[code] for code in used), codes)


def _left_out(rated: NDArray[np.bool_]) -> tuple[str, ...]:
    """Return how many rows without a rating were left out."""
    n = int(np.sum(~rated))
    return (f"left out {counted(n, 'row')} without a rating",) if n else ()


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _refuse_large(axes: Sequence[Levels], table: DataTable) -> None:
    """Reject a wrong column before it asks for an enormous array."""
    shape = [len(axis.labels) for axis in axes]
    if np.prod(shape, dtype=float) > _LARGEST:
        raise InputError(
            f"{table.n_rows} rows hold {shape[0]} modalities x {shape[1]} readers x "
            f"{shape[2]} cases, more than {_LARGEST} cells; do "
            + setting("modality")
            + ", "
            + setting("reader")
            + " and "
            + setting("case")
            + " name the right columns?"
        )


def _refuse_repeats(axes: Sequence[Levels], table: DataTable) -> None:
    """Reject a second rating of a case by the same reader with the same modality."""
    shape = tuple(len(axis.labels) for axis in axes)
    cell = np.ravel_multi_index(tuple(axis.codes for axis in axes), shape)
    order = np.argsort(cell, kind="stable")
    again = np.flatnonzero(np.diff(cell[order]) == 0)
    if not again.size:
        return
    earlier, later = int(order[again[0]]), int(order[again[0] + 1])
    at = ", ".join(
        f"{what}={show(axis.labels[axis.codes[earlier]])}"
        for what, axis in zip(("modality", "reader", "case"), axes, strict=True)
    )
    raise InputError(
        f"{counted(again.size, 'rating')} {are(again.size)} of a case that is rated "
        f"already, first: {at} in "
        f"{table.row(earlier)} and {table.row(later)}; keep one rating, or name the "
        f"occasion of reading as a reader of its own"
    )


def _truth(
    table: DataTable,
    names: dict[str, str],
    case: Levels,
    positive: object,
    rated: NDArray[np.bool_],
) -> _Truth:
    """Read the true classes; every case has one."""
    if "truth" not in names:
        if positive is not None:
            raise InputError(
                setting("positive")
                + " needs a column of true classes: name it, "
                + setting("truth")
            )
        return _Truth(None)
    labels = _rows(table.levels(names["truth"]), rated)
    classes = _classes(labels.labels, positive, names["truth"])
    side = classes.sides[labels.codes] == 1
    return _Truth(
        _one_each(side, labels, case, "truth", "a case has one true class"),
        classes.positive,
        classes.negative,
    )


def _classes(labels: tuple[str, ...], positive: object, name: str) -> Classes:
    """Decide which class is positive: the one declared, or 1 of 0 and 1."""
    if len(labels) > 2:
        raise InputError(
            f"column {show(name)} holds {len(labels)} classes, {show_all(labels)}, and "
            "readers are compared on two: leave out the cases of the others, or give "
            "classes that are treated as one the same label"
        )
    chosen = declared(labels, positive, name)
    if len(labels) == 1:  # enough for a sensitivity or a specificity
        return _one_class(labels[0], label_text(chosen), positive)
    return two_classes(labels, positive=chosen)


def _one_class(label: str, chosen: str, positive: object) -> Classes:
    """Return the classes of cases that are all of one, declared or 0 or 1."""
    if label == chosen:
        return Classes(label, "", np.ones(1, np.int8))
    if positive is not None:
        two_classes((label,), positive=positive)  # refuses what no case has
    return Classes(chosen, label, np.zeros(1, np.int8))


def _one_each(
    value: NDArray[Any], labels: Levels, case: Levels, what: str, rule: str
) -> NDArray[Any]:
    """Return the value of each case; reject cases with two."""
    of_case = np.empty(len(case.labels), value.dtype)
    of_case[case.codes] = value
    torn = np.unique(case.codes[of_case[case.codes] != value])
    if torn.size:
        codes = np.unique(labels.codes[case.codes == torn[0]])
        raise InputError(
            f"{counted(torn.size, 'case')} {have(torn.size)} more than one {what}, "
            f"first: case={show(case.labels[torn[0]])} has "
            f"{show_all(labels.labels[i] for i in codes)}; {rule}. If readers have "
            f"cases of their own, give different cases different labels"
        )
    return of_case


def _clusters(
    table: DataTable, names: dict[str, str], case: Levels, rated: NDArray[np.bool_]
) -> Levels | None:
    """Read the group of each case."""
    if "cluster" not in names:
        return None
    clusters = _rows(table.levels(names["cluster"]), rated)
    codes = _one_each(
        clusters.codes, clusters, case, "cluster", "a case belongs to one cluster"
    )
    return Levels(clusters.labels, codes)


def _require_shapes(ratings: Ratings) -> None:
    shape = tuple(
        len(getattr(ratings, name)) for name in ("modalities", "readers", "cases")
    )
    if ratings.values.shape != shape:
        raise InputError(
            f"values has shape {ratings.values.shape}; the labels are of {shape[0]} "
            f"modalities x {shape[1]} readers x {shape[2]} cases"
        )
    for name in ("truth", "cluster"):
        array = getattr(ratings, name)
        if array is not None and array.shape != shape[2:]:
            raise InputError(f"{name} has shape {array.shape} for {shape[2]} cases")


def _require_design(ratings: Ratings) -> None:
    """Reject ratings that are not of their design; name the first cell."""
    if ratings.design not in _DESIGNS:
        raise InputError(
            f"design must be one of {show_all(_DESIGNS)}, got {show(ratings.design)}"
        )
    wanted = _wanted(ratings)
    lacking = np.argwhere(wanted & ~ratings.read)
    if lacking.size:
        i, j, k = lacking[0]
        raise InputError(
            f"{counted(len(lacking), 'rating')} {are(len(lacking))} missing, first: "
            f"modality={show(ratings.modalities[i])}, "
            f"reader={show(ratings.readers[j])}, case={show(ratings.cases[k])} "
            "("
            + setting("design", ratings.design)
            + "); add them, leave the modality, "
            "reader or case out, or declare the missing ratings ("
            + setting("design", "incomplete")
            + ")"
        )
    extra = np.argwhere(ratings.read & ~wanted)
    if extra.size:
        i, j, k = extra[0]
        raise InputError(
            setting("design", ratings.design) + f", but modality="
            f"{show(ratings.modalities[i])}, reader={show(ratings.readers[j])} also "
            f"rated case={show(ratings.cases[k])}; {_RULE[ratings.design]}"
        )


_RULE = {
    "cases-in-readers": "readers share all cases or none; declare 'factorial' or "
    "'incomplete'",
    "cases-in-modalities": "a case is rated with one modality; declare 'factorial' or "
    "'incomplete'",
    "readers-in-modalities": "a reader rates with one modality; declare 'factorial' or "
    "'incomplete'",
}


def _wanted(ratings: Ratings) -> NDArray[np.bool_]:
    """Return which cells the design wants to hold a rating."""
    read = ratings.read
    if ratings.design == "factorial":
        return np.ones_like(read)
    if ratings.design == "incomplete":
        return read
    if ratings.design == "cases-in-readers":
        # The group of readers of a case is that of its first reader.
        by_reader: NDArray[np.bool_] = np.any(read, axis=0)
        first = by_reader.argmax(axis=0)
        same = np.array([[(a == b).all() for b in by_reader] for a in by_reader])
        return np.broadcast_to(same[:, first], read.shape)
    if ratings.design == "cases-in-modalities":
        of_case = read.any(axis=1).argmax(axis=0)
        own = np.arange(read.shape[0])[:, None] == of_case
        return np.broadcast_to(own[:, None, :], read.shape)
    of_reader = read.any(axis=2).argmax(axis=0)
    own = np.arange(read.shape[0])[:, None] == of_reader
    return np.broadcast_to(own[:, :, None], read.shape)


def _from_predictions(predictions: Predictions) -> Ratings:
    predictions.require_one_run()
    if predictions.case is None:
        raise InputError(
            "the predictions do not name their cases; read them with case=..."
        )
    if len(set(predictions.datasets or ("",))) > 1:
        raise InputError(
            f"the predictions are of {len(set(predictions.datasets or ()))} data sets; "
            f"training sets share a test set within one data set: analyse each "
            f"separately"
        )
    if not predictions.same_cases:
        raise InputError(
            "blocks have different test cases; training sets are readers only if "
            "all are tested on the same cases (protocol HeldOut)"
        )
    sizes = predictions.sizes
    r, t = sizes.shape
    score = predictions.score.reshape(r, t, -1)
    return Ratings(
        values=score.transpose(1, 0, 2),
        truth=predictions.is_positive[: score.shape[2]],
        modalities=predictions.algorithms,
        readers=predictions.blocks,
        cases=tuple(predictions.cases[k] for k in predictions.case[: score.shape[2]]),
        positive=predictions.positive,
        negative=predictions.negative,
        notes=predictions.notes,
    )
