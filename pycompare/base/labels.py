"""Labels: the text that names an algorithm, a block, a data set or a metric.

Labels are data. They are shown as they came and never interpreted, so two
labels that a reader cannot distinguish are rejected.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError

RowName = Callable[[int], str]

# C0 controls and DEL cannot be shown; lone surrogates cannot be written as UTF-8.
_MOST_SUGGESTED = 3
"""Names equally near to a misspelled one; of more, none is suggested."""
_UNSHOWABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
"""Invisible characters: joiners, marks of direction, hyphens of line ends."""
_LINE_ENDS = re.compile(r"\s*[\n\r\t]\s*")


def readable(name: str) -> str:
    r"""Return the name of a file with each byte that is not UTF-8 as ``\xff``.

    Python has such bytes as lone surrogates, which no UTF-8 file can hold.
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    r"""Return one line for a console, with controls in it as ``\x1b``.

    A line end or a colour would be obeyed, a mark of direction would turn the rest.
    """
    return "".join(
        character
        if character.isprintable()
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct labels of a column.

    Attributes
    ----------
    labels : tuple of str
        In order of first appearance.
    codes : ndarray of int, shape (n_rows,)
        Position in ``labels`` of each row's label.
    """

    labels: tuple[str, ...]
    codes: NDArray[np.intp]


def _position(index: int) -> str:
    """Name the place of a label in a plain list."""
    return f"position {index + 1}"


def levels(
    values: Sequence[object],
    *,
    what: str,
    row: RowName = _position,
    line_ends: bool = True,
) -> Levels:
    """Turn the values of a label column into text labels and codes.

    Parameters
    ----------
    values : sequence of length n_rows
        Text, numbers, dates; none of them missing.
    what : str
        What holds the labels, for messages: ``"column 'algorithm'"``.
    row : callable
        Names row ``i`` in messages.
    line_ends : bool, default True
        A line end or a tab within a label is read as a blank; False: it is rejected.

    Returns
    -------
    Levels

    Raises
    ------
    InputError
        If a label is empty or cannot be shown, or if two different values
        would read alike: equal after trimming, Unicode normalisation (NFC), conversion
        to text, without invisible characters, or with a blank in the place of a line
        end.
    """
    distinct: Sequence[Hashable]
    kinds = set(map(type, values))
    if kinds <= {str}:
        labels, codes = _distinct_in_order(values)
        distinct = labels
    elif kinds == {int}:
        distinct, codes = _distinct_in_order(values)
        labels = tuple(map(str, distinct))
    else:
        distinct, codes = _distinct(values, what)
        labels = tuple(map(label_text, distinct))
    if line_ends and _LINE_ENDS.search("".join(labels)):
        labels = tuple(map(one_line, labels))
    together = "".join(labels)
    odd = _UNSHOWABLE.search(together) or _UNSEEN.search(together)
    if odd or not all(map(str.strip, labels)):
        for code, label in enumerate(labels):
            if reason := _unfit(label):
                raise InputError(f"{what}, {row(_first(codes, code))}: {reason}")
    if pair := _alike(labels):
        rows = " and ".join(row(_first(codes, code)) for code in pair)
        raise InputError(
            f"{what}: two labels read alike ({rows}): "
            f"{_difference(*(distinct[code] for code in pair))}; write them alike "
            "if they mean the same, otherwise rename one"
        )
    return Levels(labels, codes)


def unique_labels(values: Iterable[object], *, what: str) -> tuple[str, ...]:
    """Check labels that must all differ, such as the names of the algorithms.

    Raises
    ------
    InputError
        As `levels`, and if a label stands twice.
    """
    values = list(values)
    label_levels = levels(values, what=what, line_ends=False)
    if len(label_levels.labels) < len(values):
        again = int(np.argmax(np.bincount(label_levels.codes) > 1))
        raise InputError(
            f"{what} must differ: {show(label_levels.labels[again])} appears "
            f"{int(np.sum(label_levels.codes == again))} times"
        )
    return label_levels.labels


def require_unique_names(names: Sequence[str]) -> None:
    """Reject columns that have the same name."""
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise InputError(
            f"column names must differ; more than once: {show_all(repeated)}"
        )


def require_two(what: str, labels: Sequence[str]) -> None:
    """Reject fewer than two algorithms or blocks."""
    if len(labels) < 2:
        raise InputError(
            f"a comparison needs at least 2 {what}, got {len(labels)}: "
            f"{show_all(labels)}{_MORE.get(what, '')}"
        )


_MORE = {
    "algorithms": "; add the scores of a second algorithm, or name the columns (or the "
    "one column) of algorithms",
    "blocks": "; add the scores on further data sets, folds or cases, or turn the "
    "table if its rows are the algorithms",
}
"""What to do about too few."""


def label_positions(
    what: str, wanted: Iterable[str] | None, labels: tuple[str, ...]
) -> list[int]:
    """Positions of the wanted labels, in their order; all labels if None.

    Raises
    ------
    InputError
        If a label is not there or is wanted twice.
    """
    if wanted is None:
        return list(range(len(labels)))
    named = [wanted] if isinstance(wanted, str) else list(wanted)
    position = {label: i for i, label in enumerate(labels)}
    places = [label_position(what, label, position) for label in named]
    if len(set(places)) < len(places):
        unique_labels([labels[place] for place in places], what=what)  # refused
    return places


def label_position(what: str, wanted: Any, position: Mapping[str, int]) -> int:
    """Return the position of a label.

    Raises
    ------
    InputError
        If it is not there.
    """
    if wanted in position:
        return position[wanted]
    label = one_line(wanted) if isinstance(wanted, str) else wanted
    if label not in position:
        raise InputError(
            f"{what}: there is no {show(label)}{nearest(label, position)}; there "
            f"are {show_all(position)}"
        )
    return position[label]


def label_text(value: object) -> str:
    """Write a value as a label: 3 and 3.0 as '3', floats by repr, the rest by str."""
    value = _plain(value)
    if isinstance(value, float):
        return repr(value + 0.0).removesuffix(".0")  # + 0.0 turns -0.0 into 0.0
    return str(value)


def show(value: object) -> str:
    """Quote a value for a message, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:45]}...{text[-10:]}"


def show_all(values: Iterable[object]) -> str:
    """Quote the first twenty values for a message."""
    values = list(values)
    more = f" and {len(values) - 20} more" if len(values) > 20 else ""
    return ", ".join(show(value) for value in values[:20]) + more


def nearest(name: object, names: Iterable[str]) -> str:
    """Suggest the nearest of the names there are, all that are as near, or nothing."""
    near = closest(name, names)
    if not 0 < len(near) <= _MOST_SUGGESTED:
        return ""
    return f"; did you mean {' or '.join(map(show, near))}?"


def unknown_control(control: object, algorithms: Iterable[str]) -> str:
    """Return the message that a control is no algorithm, and which there are."""
    names = tuple(algorithms)
    return (
        f"control {show(control)} is not an algorithm{nearest(control, names)}; there "
        f"are {show_all(names)}"
    )


def closest(name: object, names: Iterable[str]) -> tuple[str, ...]:
    """Return the nearest of the names there are, sorted; several if equally near."""
    if not isinstance(name, str):
        return ()
    known = list(map(str, names))
    # A name that differs in its case alone is as near as can be.
    same = [candidate for candidate in known if candidate.casefold() == name.casefold()]
    if same:
        return tuple(sorted(same))
    near = get_close_matches(name, known, n=max(1, len(known)), cutoff=0.6)
    ratios = [SequenceMatcher(None, candidate, name).ratio() for candidate in near]
    most = max(ratios, default=0.0)
    return tuple(
        sorted(
            candidate for candidate, r in zip(near, ratios, strict=True) if r == most
        )
    )


def _distinct_in_order(
    values: Sequence[Any],
) -> tuple[tuple[Any, ...], NDArray[np.intp]]:
    """Distinct values of one class in order of appearance, and the code of each one."""
    distinct = dict.fromkeys(values)
    if len(distinct) == len(values):  # such as a million items
        return tuple(distinct), np.arange(len(values), dtype=np.intp)
    place = {value: i for i, value in enumerate(distinct)}
    codes = np.fromiter(map(place.__getitem__, values), np.intp, len(values))
    return tuple(place), codes


def _distinct(
    values: Sequence[object], what: str
) -> tuple[list[Hashable], NDArray[np.intp]]:
    """Distinct values in order of appearance, and the code of each value."""
    seen: dict[tuple[type, object], int] = {}
    # The class is part of the key because 1 == 1.0 == True in Python.
    try:
        raw = [seen.setdefault((v.__class__, v), len(seen)) for v in values]
    except TypeError as error:
        raise InputError(
            f"{what} must hold text or numbers as labels ({error})"
        ) from error
    merged: dict[tuple[type, object], int] = {}
    plain = [_plain(value) for _, value in seen]
    recode = [merged.setdefault((v.__class__, v), len(merged)) for v in plain]
    codes = np.asarray(recode, dtype=np.intp)[np.asarray(raw, dtype=np.intp)]
    return [value for _, value in merged], codes


def _plain(value: object) -> Hashable:
    """Strip NumPy's scalar classes, so that np.int64(1) is the label 1."""
    if isinstance(value, np.str_ | np.integer | np.floating | np.bool_):
        return value.item()
    return value


def _first(codes: NDArray[np.intp], code: int) -> int:
    return int(np.argmax(codes == code))


def _fold(label: str) -> str:
    if label.isascii():
        return label.strip()
    return unicodedata.normalize("NFC", _UNSEEN.sub("", label)).strip()


def _unfit(label: str) -> str | None:
    """Return the reason why a label cannot be shown, if so."""
    if not _UNSEEN.sub("", label).strip():
        return f"the label is empty ({label!a}); every row needs one"
    if match := _UNSHOWABLE.search(label):
        return (
            f"label {show(label)} holds the character {match.group()!a}, which "
            "cannot be shown (control characters and lone surrogates); remove it"
        )
    return None


def one_line(label: str) -> str:
    """Return a label with a blank for each line end or tab within it."""
    return _LINE_ENDS.sub(" ", label) if _LINE_ENDS.search(label) else label


def _alike(labels: tuple[str, ...]) -> tuple[int, int] | None:
    """Find the first two labels that are equal when folded."""
    # Of labels in ASCII, however many, the method of str folds.
    fold = str.strip if "".join(labels).isascii() else _fold
    if len(set(map(fold, labels))) == len(labels):
        return None
    seen: dict[str, int] = {}
    for code, label in enumerate(labels):
        earlier = seen.setdefault(_fold(label), code)
        if earlier != code:
            return earlier, code
    return None


def _difference(first: object, second: object) -> str:
    """Return what distinguishes two values whose labels fold to the same text."""
    if label_text(first) == label_text(second):
        kinds = [f"{show(v)} ({type(v).__name__})" for v in (first, second)]
        return f"{' and '.join(kinds)} are the same text"
    if label_text(first).strip() == label_text(second).strip():
        return f"{show(first)} and {show(second)} differ only by spaces at the ends"
    if one_line(str(first)).strip() == one_line(str(second)).strip():
        return f"{show(first)} and {show(second)} differ only by line ends"
    texts = [unicodedata.normalize("NFC", label_text(x)) for x in (first, second)]
    by = "their Unicode normal form"
    if texts[0] != texts[1]:
        by = "invisible characters"
    return f"{first!a} and {second!a} differ only by {by}"
