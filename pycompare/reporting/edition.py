"""How a report is written: if to, formats, the order of parts, rounding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, TypedDict

from pycompare.base.arguments import check_flags, check_word
from pycompare.base.formatting.rounding import check_rounding
from pycompare.base.labels import nearest
from pycompare.reporting.render import RENDERERS, DocumentFormat, check_formats

_OF_THE_CALL = ("overwrite", "command", "started")
"""Choices that give no information about what a report is like."""
_STYLES = ("page", "statistical-report")


class Writing(TypedDict, total=False):
    """The keyword arguments that every function has that writes a report."""

    overwrite: bool
    formats: Sequence[str]
    style: str
    rounding: str
    cross_check: bool
    paper: bool
    with_program: bool
    command: Sequence[str] | None
    started: datetime | None


@dataclass(frozen=True, kw_only=True)
class Edition:
    """What a reader chooses of a report, apart from its content; see ``report``.

    Raises
    ------
    InputError
        If there is no such format, style or rule, or if what a format needs is not
        installed.
    ReferenceUnavailable
        If R is wanted and there is none.
    """

    overwrite: bool = False
    formats: Sequence[str] = ("html",)  # names in RENDERERS
    style: str = "page"
    rounding: str = "half-even"
    cross_check: bool = False
    paper: bool = False
    with_program: bool = False
    command: Sequence[str] | None = None
    started: datetime | None = None

    def __post_init__(self) -> None:
        check_flags(
            overwrite=self.overwrite,
            cross_check=self.cross_check,
            paper=self.paper,
            with_program=self.with_program,
        )
        object.__setattr__(self, "formats", check_formats(self.formats))
        check_rounding(self.rounding)
        check_word("style", self.style, _STYLES)
        if self.cross_check:
            from pycompare.reporting.evidence.cross_check import require_rscript

            require_rscript()

    @classmethod
    def of(cls, writing: Writing) -> Edition:
        """Return the choices in the keyword arguments of a call.

        Raises
        ------
        TypeError
            If one is unknown, as Python raises if they are written out.
        """
        known = [field.name for field in fields(cls)]
        for name in writing:
            if name not in known:
                raise TypeError(
                    f"unexpected keyword argument {name!r}{nearest(name, known)}; a "
                    f"report is written with {', '.join(known)}"
                )
        return cls(**writing)

    def told(self) -> dict[str, Any]:
        """Return what a report that is written again must have in common."""
        held = {field.name: getattr(self, field.name) for field in fields(self)}
        kept = {name: v for name, v in held.items() if name not in _OF_THE_CALL}
        return kept | {"formats": list(self.formats)}

    @property
    def file_formats(self) -> list[DocumentFormat]:
        """The formats."""
        return [RENDERERS[name] for name in self.formats]
