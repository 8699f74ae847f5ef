"""Renderers: a document in, bytes out. None knows what was analysed.

A new format is one module here and one entry in ``FORMATS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal as OneOf

from pycompare.errors import InputError, setting
from pycompare.labels import nearest, show
from pycompare.reporting.document import Document
from pycompare.reporting.render import docx, html, latex, markdown, pdf, rtf, text


@dataclass(frozen=True)
class Format:
    """One format of reports."""

    ending: str  # of its file
    render: Callable[[Document], bytes]  # returns the bytes of a document
    # Kind of the files of figures that it refers to, if any.
    figures: OneOf["", "pdf"] = ""
    # The package that it needs, if any, and the extra that installs it.
    module: str = ""
    extra: str = ""


FORMATS: Mapping[str, Format] = {
    "html": Format("html", html.render),
    "docx": Format("docx", docx.render, module="docx", extra="docx"),
    "latex": Format("tex", latex.render, figures="pdf"),
    "md": Format("md", markdown.render),
    "pdf": Format("pdf", pdf.render, module="typst", extra="pdf"),
    "rtf": Format("rtf", rtf.render),
    "text": Format("txt", text.render),
}
"""The formats of a report, by name."""


def check_formats(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of formats, each once.

    Raises
    ------
    InputError
        If there is no such format, or what it needs is not installed.
    """
    found = tuple(dict.fromkeys([names] if isinstance(names, str) else names))
    if not found:
        raise InputError(
            setting("formats") + f" is empty: choose from {', '.join(FORMATS)}"
        )
    for name in found:
        if name not in FORMATS:
            raise InputError(
                setting("formats") + f": there is no format {show(name)}"
                f"{nearest(name, FORMATS)}; choose from {', '.join(FORMATS)}"
            )
        _require(name, FORMATS[name])
    return found


def is_available(found: Format) -> bool:
    """Tell whether the package that a format needs is installed."""
    return not found.module or find_spec(found.module) is not None


def _require(name: str, found: Format) -> None:
    if not is_available(found):
        raise InputError(
            f"the format {name} needs a package that is not installed: pip install "
            f"'pycompare-stats[{found.extra}]'"
        )
