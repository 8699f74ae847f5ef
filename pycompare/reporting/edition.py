"""How a report is written: in which formats, and how its numbers are rounded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompare.formatting.rounding import check_rounding
from pycompare.reporting.render import FORMATS, Format, check_formats


@dataclass(frozen=True)
class Edition:
    """What a reader chooses of a report, apart from its content.

    Attributes
    ----------
    formats : sequence of str
        Names in ``FORMATS``.
    rounding : {"half-even", "half-away"}
        See ``pycompare.formatting.rounding``.

    Raises
    ------
    InputError
        If there is no such format or rule, or what a format needs is not installed.
    """

    formats: Sequence[str] = ("html",)
    rounding: str = "half-even"

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))
        check_rounding(self.rounding)

    @property
    def made(self) -> list[Format]:
        """The formats."""
        return [FORMATS[name] for name in self.formats]


PAGE = Edition()
"""The page alone."""
