"""Which class of a case is the positive one: declared, never guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_flags
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import label_text, nearest, show, show_all, unique_labels

POSITIVE, _NEGATIVE, LEFT_OUT = 1, 0, -1
_ZERO_AND_ONE = (
    *(("0", "1"), ("0.0", "1.0"), ("F", "T"), ("f", "t")),
    *(("False", "True"), ("false", "true"), ("FALSE", "TRUE")),
)
"""Labels of which the positive one needs no declaration, as spreadsheets, R and Python
write them: negative first."""


class Classes(NamedTuple):
    """The two classes, and what each label of the data means.

    Attributes
    ----------
    positive, negative : str
        Labels; with one class against the rest ``negative`` is ``not <positive>``.
    sides : ndarray of int8, shape (n_labels,)
        1 positive, 0 negative, -1 left out (in neither class of a chosen pair).
    """

    positive: str
    negative: str
    sides: NDArray[np.int8]


def positive_of(labels: Sequence[str]) -> str | None:
    """Return the label that means 1, of labels that mean 0 and 1; None of others."""
    for pair in _ZERO_AND_ONE:
        if set(labels) <= set(pair):
            return pair[1]
    return None


def declared(labels: Sequence[str], positive: object, column: str) -> object:
    """Return the positive class that is declared, or 1 of 0 and 1.

    Raises
    ------
    InputError
        If none is declared and the labels do not state this. No label is proposed: the
        other one turns every conclusion round.
    """
    if positive is not None:
        return positive
    if (plain := positive_of(labels)) is not None:
        return plain
    raise InputError(
        f"column {show(column)} holds the classes {show_all(sorted(labels))}: declare "
        "which one is positive, " + setting("positive", ...)
    )


def two_classes(
    labels: Sequence[str],
    *,
    positive: object,
    rest: bool = False,
    classes: Sequence[object] | None = None,
) -> Classes:
    """Decide which labels are positive and which negative.

    Parameters
    ----------
    labels : sequence of str
        The distinct labels of the data.
    positive : object
        The positive class: text, number, true or false.
    rest : bool, default False
        True: all other labels together are the negative class.
    classes : pair of labels, optional
        Only cases of these two classes are used.

    Raises
    ------
    InputError
        If the positive class is not there, if more than two classes come without
        ``rest`` or ``classes``, or if the two contradict each other.
    """
    check_flags(rest=rest)
    chosen = label_text(positive)
    _require_label("positive", chosen, labels)
    if rest and classes is not None:
        raise InputError(
            setting("rest", True)
            + " and "
            + setting("classes", ...)
            + " exclude each other; give one"
        )
    if rest:
        return _one_against_rest(labels, chosen)
    kept = labels if classes is None else _pair(classes, chosen, labels)
    if len(kept) > 2:
        raise InputError(
            f"there are {len(kept)} classes: {show_all(kept)}; compare {show(chosen)} "
            "with all others together ("
            + setting("rest", True)
            + ") or with one of them ("
            + setting("classes", ...)
            + "); pycompare.most_confused finds the pair "
            "that is confused most"
        )
    if len(kept) < 2:
        raise InputError(
            f"all cases have the label {show(chosen)}; two classes are needed"
        )
    negative = next(label for label in kept if label != chosen)
    sides = [{chosen: POSITIVE, negative: _NEGATIVE}.get(x, LEFT_OUT) for x in labels]
    return Classes(chosen, negative, np.array(sides, np.int8))


def _one_against_rest(labels: Sequence[str], chosen: str) -> Classes:
    if len(labels) < 2:
        raise InputError(
            f"all cases have the label {show(chosen)}; two classes are needed"
        )
    sides = np.array([label == chosen for label in labels], np.int8)
    return Classes(chosen, f"not {chosen}", sides)


def _pair(
    classes: Sequence[object], chosen: str, labels: Sequence[str]
) -> tuple[str, ...]:
    if isinstance(classes, str) or len(classes) != 2:
        raise InputError(f"classes must be a pair of labels, got {show(classes)}")
    pair = unique_labels([label_text(label) for label in classes], what="classes")
    for label in pair:
        _require_label("classes", label, labels)
    if chosen not in pair:
        raise InputError(
            setting("positive", chosen) + " is not among the classes " + show_all(pair)
        )
    return pair


def _require_label(what: str, label: str, labels: Sequence[str]) -> None:
    if label not in labels:
        raise InputError(
            setting(what)
            + f": no case has the label {show(label)}{nearest(label, labels)}; the "
            f"labels are {show_all(labels)}"
        )
