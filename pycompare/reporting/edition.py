"""How a report is written: formats, the order of parts, rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompare.errors import InputError, setting
from pycompare.formatting.rounding import check_rounding
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

    Raises
    ------
    InputError
        If there is no such format, style or rule, or if what a format needs is not
        installed.
    """

    formats: Sequence[str] = ("html",)
    rounding: str = "half-even"
    style: str = "page"

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))
        check_rounding(self.rounding)
        if self.style not in _STYLES:
            raise InputError(
                setting("style", self.style) + f": choose {' or '.join(_STYLES)}"
            )

    @property
    def made(self) -> list[Format]:
        """The formats."""
        return [FORMATS[name] for name in self.formats]


PAGE = Edition()
"""The page alone."""
