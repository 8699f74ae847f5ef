"""How a report is written: in which formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompare.reporting.render import FORMATS, Format, check_formats


@dataclass(frozen=True)
class Edition:
    """What a reader chooses of a report, apart from its content.

    Attributes
    ----------
    formats : sequence of str
        Names in ``FORMATS``.

    Raises
    ------
    InputError
        If there is no such format, or what it needs is not installed.
    """

    formats: Sequence[str] = ("html",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))

    @property
    def made(self) -> list[Format]:
        """The formats."""
        return [FORMATS[name] for name in self.formats]


PAGE = Edition()
"""The page alone."""
