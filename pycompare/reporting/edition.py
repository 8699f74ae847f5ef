"""How a report is written: formats, the order of parts, rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompare.errors import InputError, setting
from pycompare.formatting.rounding import check_rounding
from pycompare.reporting.evidence.cross_check import require_rscript
from pycompare.reporting.render import FORMATS, Format, check_formats

_STYLES = ("page", "statistical-report")


@dataclass(frozen=True)
class Edition:
    """What a reader chooses of a report, apart from its content.

    Attributes
    ----------
    formats : sequence of str
        Names in ``FORMATS``.
    style : {"page", "statistical-report"}
        The order of its parts: the most important first, or as submissions want it.
    rounding : {"half-even", "half-away"}
        See ``pycompare.formatting.rounding``.
    cross_check : bool
        Whether R computes the numbers again while the report is made.

    Raises
    ------
    InputError
        If there is no such format, style or rule, or if what a format needs is not
        installed.
    ReferenceUnavailable
        If R is wanted and there is none.
    """

    formats: Sequence[str] = ("html",)
    rounding: str = "half-even"
    style: str = "page"
    cross_check: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))
        check_rounding(self.rounding)
        if self.style not in _STYLES:
            raise InputError(
                setting("style", self.style) + f": choose {' or '.join(_STYLES)}"
            )
        if self.cross_check:
            require_rscript()

    @property
    def made(self) -> list[Format]:
        """The formats."""
        return [FORMATS[name] for name in self.formats]


PAGE = Edition()
"""The page alone."""
