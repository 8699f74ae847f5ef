"""Battles: two models, one of which a voter preferred, or a tie."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pycompare.base.arguments import check_word
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import label_text, levels, nearest, show, show_all
from pycompare.base.typing import Floats, Ints
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.frames import as_table
from pycompare.data.near_labels import refuse_near_labels
from pycompare.data.source import Source
from pycompare.data.table import DataTable

if TYPE_CHECKING:
    import pandas as pd

BothBad = Literal["tie", "drop"]
_FEWEST = 10
"""Battles from which strengths are estimated."""
_KNOWN = (
    ("model_a", "model_b", "winner"),
    ("left", "right", "winner"),
    ("model_1", "model_2", "winner"),
)
"""Columns of LMArena, of evalica, and our own."""
_WEIGHTS = ("weight", "weights", "sample_weight")
_VOTERS = ("judge", "evaluation_session_id", "voter")
_BY_INDICATORS = ("winner_model_a", "winner_model_b", "winner_tie")
_FIRST = ("model_a", "left", "model_1", "first", "a")
_SECOND = ("model_b", "right", "model_2", "second", "b")
_TIE = ("tie", "draw")
_BOTH_BAD = ("tie (bothbad)", "both_bad", "bothbad", "tie (both bad)")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Battles:
    """Battles of pairs of models, checked when they are made.

    Attributes
    ----------
    models : tuple of str
        Labels, in order of first appearance.
    first, second : ndarray of int, shape (n,)
        Positions in ``models``; the first was shown first.
    outcome : ndarray of float, shape (n,)
        1 if the first won, 0 if the second won, 0.5 for a tie.
    voter : ndarray of int or None, shape (n,)
        Positions in ``voters``; None: each battle has a voter of its own.
    voters : tuple of str
    group : ndarray of int or None, shape (n,)
        Positions in ``groups``, each with its own ranking.
    groups : tuple of str
    notes : tuple of str
        How the battles were read.
    source : Source or None
        The file that they were read from.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"model_a": a, "model_b": b, "winner": w}
    ...     for a, b, w in zip("ABC" * 4, "BCA" * 4, ["model_a", "tie", "model_b"] * 4)
    ... ]
    >>> pc.Battles.from_frame(rows)
    <Battles: 12 of 3 models>
    """

    models: tuple[str, ...]
    first: Ints
    second: Ints
    outcome: Floats
    voter: Ints | None = None
    voters: tuple[str, ...] = ()
    group: Ints | None = None
    groups: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    source: Source | None = None

    def __post_init__(self) -> None:
        arrays: Mapping[str, Any] = {
            "first": np.intp, "second": np.intp, "outcome": float, "voter": np.intp,
            "group": np.intp,
        }  # fmt: skip
        for name, kind in arrays.items():
            if getattr(self, name) is not None:
                array = np.array(getattr(self, name), kind)
                array.flags.writeable = False
                object.__setattr__(self, name, array)
        _require_battles(self)
        if len(self.models) < 2:
            raise InputError(
                f"battles need two models or more, and all are of "
                f"{show_all(self.models)}"
            )
        if len(self.first) < _FEWEST:
            raise InputError(
                f"there are {counted(len(self.first), 'battle')}; strengths need "
                f"{_FEWEST} at least"
            )

    @classmethod
    def from_frame(
        cls,
        frame: object,
        *,
        model_1: str | None = None,
        model_2: str | None = None,
        winner: str | None = None,
        voter: str | None = None,
        group: str | None = None,
        both_bad: BothBad = "tie",
    ) -> Battles:
        """Read a table with one row for each battle; see ``pc.read_battles``."""
        columns = model_1, model_2, winner
        return _read(as_table(frame), columns, voter, group, both_bad)

    def __repr__(self) -> str:
        of = f" of {len(self.voters)} voters" if self.voters else ""
        return f"<Battles: {len(self.first)} of {len(self.models)} models{of}>"

    @property
    def sha256(self) -> str:
        """Hash of labels and outcomes, the same on any machine."""
        content = {name: getattr(self, name) for name in ("models", "voters", "groups")}
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
        digest.update((2 * self.outcome).astype("i1").tobytes())
        for codes in (self.first, self.second, self.voter, self.group):
            digest.update(b"" if codes is None else codes.astype("<i8").tobytes())
        return digest.hexdigest()

    def taken(self, rows: Any) -> Battles:
        """Return some battles; models without any are left out."""
        first, second = self.first[rows], self.second[rows]
        used, codes = np.unique(np.concatenate([first, second]), return_inverse=True)
        return replace(
            self,
            models=tuple(self.models[at] for at in used),
            first=codes[: len(first)],
            second=codes[len(first) :],
            outcome=self.outcome[rows],
            voter=None if self.voter is None else self.voter[rows],
            group=None if self.group is None else self.group[rows],
        )

    def of_group(self, name: str) -> Battles:
        """Return the battles of one group."""
        if self.group is None or name not in self.groups:
            raise InputError(
                f"there is no group {show(name)}{nearest(name, self.groups)}"
            )
        whole = self.taken(self.group == self.groups.index(name))
        return replace(whole, group=None, groups=())

    def to_frame(self) -> pd.DataFrame:
        """Return a table with one row for each battle."""
        import pandas as pd

        names = np.array(self.models, dtype=object)
        winner = np.array(["second", "tie", "first"], dtype=object)
        columns: dict[str, Any] = {
            "model_1": names[self.first],
            "model_2": names[self.second],
            "winner": winner[(2 * self.outcome).astype(int)],
        }
        if self.voter is not None:
            columns["voter"] = np.array(self.voters, dtype=object)[self.voter]
        if self.group is not None:
            columns["group"] = np.array(self.groups, dtype=object)[self.group]
        return pd.DataFrame(columns)


@checked
def read_battles(
    path: str | PathLike[str],
    *,
    model_1: str | None = None,
    model_2: str | None = None,
    winner: str | None = None,
    voter: str | None = None,
    group: str | None = None,
    both_bad: BothBad = "tie",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Battles:
    r"""Read battles from a file with one row for each.

    Parameters
    ----------
    path : path
        A text file, JSON lines, Parquet or .xlsx. Columns of LMArena (``model_a``,
        ``model_b``, ``winner``; voters in ``judge`` or ``evaluation_session_id``), of
        Kaggle's competition (``winner_model_a``, ``winner_model_b``, ``winner_tie``)
        and of evalica (``left``, ``right``, ``winner``) need no names.
    model_1, model_2 : str, optional
        Columns of the models; the first was shown first.
    winner : str, optional
        Column of outcomes: ``model_a``, ``left``, ``first`` or the name of the model;
        ``model_b``, ``right``, ``second`` or its name; ``tie``; ``tie (bothbad)``.
    voter : str, optional
        Column of the people who decided. Votes of one person may depend on each other.
    group : str, optional
        Column of groups, such as languages: each has its own ranking.
    both_bad : {"tie", "drop"}
        Whether a battle that both models lost is a tie or left out.
    sep, decimal, sheet, header : str, optional
        How the file is written, as in ``pc.read_scores``.

    Returns
    -------
    Battles

    Raises
    ------
    InputError
        If columns are missing, a model meets itself, an outcome is unknown, battles
        have weights, or there are fewer than ten.

    Examples
    --------
    >>> import tempfile, pathlib, pycompare as pc
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "votes.csv"
    >>> votes = "A,B,left\nB,C,tie\nC,A,right\n"
    >>> _ = path.write_text("left,right,winner\n" + 4 * votes)
    >>> pc.read_battles(path)
    <Battles: 12 of 3 models>
    """
    form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
    with named(path):
        table, source = read_table(path, form)
        columns = model_1, model_2, winner
        return replace(_read(table, columns, voter, group, both_bad), source=source)


def _require_battles(battles: Battles) -> None:
    """Reject arrays that are no battles."""
    n, k = len(battles.first), len(battles.models)
    for name in ("first", "second", "outcome", "voter", "group"):
        values = getattr(battles, name)
        if values is not None and values.shape != (n,):
            raise InputError(
                f"{name}: give one value for each of {counted(n, 'battle')}, got shape "
                f"{values.shape}"
            )
    ends = np.concatenate([battles.first, battles.second])
    if n and (ends.min() < 0 or ends.max() >= k):
        raise InputError(f"first, second: give positions in models, 0 to {k - 1}")
    if np.any(battles.first == battles.second):
        raise InputError("first, second: a model does not meet itself")
    if not np.isin(battles.outcome, (0, 0.5, 1)).all():
        raise InputError("outcome: give 1, 0.5 or 0 for each battle")
    for name in ("voter", "group"):
        codes, last = getattr(battles, name), len(getattr(battles, f"{name}s")) - 1
        if codes is not None and n and (codes.min() < 0 or codes.max() > last):
            raise InputError(f"{name}: give positions in {name}s, 0 to {last}")


def _read(
    table: DataTable,
    columns: tuple[str | None, str | None, str | None],
    voter: str | None,
    group: str | None,
    both_bad: BothBad,
) -> Battles:
    """Read a table of battles."""
    check_word("both_bad", both_bad, ("tie", "drop"))
    names = set(table.names)
    given = [name for name in columns if name is not None]
    indicators = not given and names.issuperset(("model_a", "model_b", *_BY_INDICATORS))
    if len(given) not in (0, 3):
        raise InputError("name all three columns: model_1, model_2 and winner")
    roles = tuple(map(label_text, given)) or _known_columns(table, indicators)
    if voter is None and not given:
        voter = next((name for name in _VOTERS if name in names), None)
    used = {"model_1": roles[0], "model_2": roles[1]}
    if not indicators:
        used["winner"] = roles[2]
    for name, role in (("voter", voter), ("group", group)):
        if role is not None:
            used[name] = label_text(role)
    table.require_roles(used)
    table.require_rows()
    _refuse_weights(table, set(used.values()))
    models, first, second = _ends(table, roles)
    alone = np.flatnonzero(first == second)
    if len(alone):
        raise InputError(
            f"{table.row(int(alone[0]))}: {show(models[first[alone[0]]])} meets "
            f"itself in {counted(len(alone), 'battle')}; leave such rows out"
        )
    if indicators:
        outcome, bad = _indicated(table), np.zeros(table.n_rows, bool)
    else:
        outcome, bad = _outcomes(table, roles[2], models, first, second)
    notes = []
    kept = np.ones(len(first), bool)
    if bad.any():
        taken = "counted as ties" if both_bad == "tie" else "left out"
        notes.append(f"{counted(int(bad.sum()), 'battle')} that both lost, {taken}")
        if both_bad == "drop":
            kept = ~bad
    labels: dict[str, Any] = {}
    for name in ("voter", "group"):
        if name in used:
            of_rows = table.levels(used[name])
            labels |= {name: of_rows.codes, f"{name}s": of_rows.labels}
    whole = Battles(
        models=models,
        first=first,
        second=second,
        outcome=outcome,
        notes=tuple(notes),
        **labels,
    )
    return whole if kept.all() else whole.taken(kept)


def _refuse_weights(table: DataTable, used: set[str]) -> None:
    """Reject a file that weights its battles: strengths are of battles as they are."""
    weights = [
        name
        for name in table.names
        if name.strip().lower() in _WEIGHTS and name not in used
    ]
    if weights:
        raise InputError(
            f"column {show(weights[0])}: weights of battles are not used, because they "
            "change what a strength means; leave the column out to count each battle "
            "once"
        )


def _ends(
    table: DataTable, roles: tuple[str, ...]
) -> tuple[tuple[str, ...], Ints, Ints]:
    """Return models in order of first appearance, and both ends of each battle."""
    ends = [table.levels(name) for name in roles[:2]]
    place: dict[str, int] = {}
    for end, column in enumerate(ends):
        rows = np.empty(len(column.labels), np.intp)
        # The last assignment is the one that stays: that of the first row.
        rows[column.codes[::-1]] = np.arange(len(column.codes))[::-1]
        for label, row in zip(column.labels, rows.tolist(), strict=True):
            place[label] = min(2 * row + end, place.get(label, 2 * row + end))
    # Names of one model that only look alike are rejected, as in one column.
    in_order = sorted(place, key=lambda name: place[name])
    models = levels(in_order, what="model").labels
    at = {label: code for code, label in enumerate(models)}
    first, second = (
        np.array([at[label] for label in column.labels])[column.codes]
        for column in ends
    )
    counts = np.bincount(np.concatenate([first, second])).tolist()
    refuse_near_labels(models, counts, "model")
    return models, first, second


def _known_columns(table: DataTable, indicators: bool) -> tuple[str, ...]:
    """Return the columns of a format that is known."""
    if indicators:
        return "model_a", "model_b", ""
    for names in _KNOWN:
        if set(names) <= set(table.names):
            return names
    raise InputError(
        "name the columns of the two models and of the winner ("
        + ", ".join(setting(name, ...) for name in ("model_1", "model_2", "winner"))
        + f"); the columns are {show_all(table.names)}"
    )


def _indicated(table: DataTable) -> Floats:
    """Return outcomes from three columns of 0 and 1."""
    marks = np.column_stack([table.numbers(name) for name in _BY_INDICATORS])
    wrong = np.flatnonzero(
        ~np.isin(marks, (0, 1)).all(axis=1) | (marks.sum(axis=1) != 1)
    )
    if len(wrong):
        raise InputError(
            f"{table.row(int(wrong[0]))}: one of {show_all(_BY_INDICATORS)} is 1 and "
            f"the others are 0; {counted(len(wrong), 'row')} "
            "have other numbers"
        )
    return np.asarray(marks @ np.array([1.0, 0.0, 0.5]))


def _outcomes(
    table: DataTable, name: str, models: tuple[str, ...], first: Ints, second: Ints
) -> tuple[Floats, Any]:
    """Return outcomes of the first model, and where both models lost."""
    words = table.levels(name)
    own = {label: at for at, label in enumerate(models)}
    plain = [word.strip().lower() for word in words.labels]
    # A model's name wins over a word, where a model is called so.
    named = np.array([own.get(word, -1) for word in words.labels])
    code_of = np.full(len(plain), np.nan)
    for codes, value in ((_FIRST, 1.0), (_SECOND, 0.0), (_TIE + _BOTH_BAD, 0.5)):
        code_of[[word in codes for word in plain]] = value
    is_bad = np.array([word in _BOTH_BAD for word in plain]) & (named < 0)
    winner, outcome = named[words.codes], code_of[words.codes]
    by_name = np.where(winner == first, 1.0, np.where(winner == second, 0.0, np.nan))
    outcome = np.where(winner >= 0, by_name, outcome)
    bad = is_bad[words.codes]
    unknown = np.flatnonzero(np.isnan(outcome))
    if len(unknown):
        at = int(unknown[0])
        raise InputError(
            f"{table.row(at)}: the outcome {show(words.labels[words.codes[at]])} in "
            f"column {show(name)} names neither model, no tie; "
            f"{counted(len(unknown), 'row')} have such outcomes: write model_a, "
            "model_b, tie, or the name of the model that won"
        )
    return outcome, bad
