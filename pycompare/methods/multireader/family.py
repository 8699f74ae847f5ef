"""The pairs of modalities that an analysis compares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.formatting.families import family_text
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.methods.multireader.findings import Means
from pycompare.methods.pairs.common import family_pairs
from pycompare.results.adjust import Adjustment, adjust_family

LabelTuple = tuple[str, ...]


@dataclass(frozen=True)
class ModalityPairs:
    """All pairs of modalities, or each other modality with the control.

    Attributes
    ----------
    names : tuple of str
        The modalities.
    control : str or None
        Second in each pair.
    """

    names: LabelTuple
    control: str | None = None

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Positions of algorithm_1 and algorithm_2, pair after pair."""
        return family_pairs(self.names, self.control)

    def columns(self) -> dict[str, Any]:
        """Return the two columns of names."""
        label = np.array(self.names, object)
        first, second = np.array(self.pairs).T
        return {"algorithm_1": label[first], "algorithm_2": label[second]}

    def of(self, every: Means) -> Means:
        """Return the differences of the family, from those of all pairs."""
        if self.control is None:
            return every
        place = {pair: i for i, pair in enumerate(family_pairs(self.names, None))}
        at = [place[min(pair), max(pair)] for pair in self.pairs]
        sign = np.array([1.0 if i < j else -1.0 for i, j in self.pairs])
        # Not -0.0 where figures are equal.
        estimate = sign * every.estimate[at] + 0.0
        return Means(estimate, every.std_error[at], every.df[at])

    def adjusted(self, p: Floats, chosen: Adjustment) -> Floats:
        """Return the adjusted p-values of the family."""
        return adjust_family(p, len(self.names), chosen)

    def r_control(self) -> int | None:
        """Return the position of the control as R counts."""
        return None if self.control is None else self.names.index(self.control) + 1

    def text(self, on: str, noun: str = "modalities") -> str:
        """Return which hypotheses are adjusted together."""
        return family_text(len(self.names), self.control, on, noun)


def family_of(names: LabelTuple, control: object) -> ModalityPairs:
    """Return the family of a control, or of all pairs; reject an unknown control."""
    if control is None:
        return ModalityPairs(names)
    if not isinstance(control, str) or control not in names:
        raise InputError(
            f"control {show(control)} is not a modality{nearest(str(control), names)}; "
            f"there are {show_all(names)}"
        )
    return ModalityPairs(names, control)
