"""Renderers: a document in, bytes out. None knows the analysis.

A new format is one module here and one entry in ``RENDERERS``; it is imported when it
is first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Literal as OneOf

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import nearest, show
from pycompare.reporting.document import Document


@dataclass(frozen=True)
class DocumentFormat:
    """One format of reports."""

    ending: str  # of its file
    renderer: str  # the module here whose ``render`` returns the bytes of a document
    # Kind of the files of figures that it refers to, if any.
    figures: OneOf["", "pdf"] = ""
    attaches: bool = False  # the data, results and programs of the folder
    # The package that it needs, if any, and the extra that installs it.
    module: str = ""
    extra: str = ""

    def render(self, document: Document) -> bytes:
        """Return the bytes of a document."""
        content: bytes = import_module(f"{__name__}.{self.renderer}").render(document)
        return content


RENDERERS: Mapping[str, DocumentFormat] = {
    "html": DocumentFormat("html", "html"),
    "docx": DocumentFormat("docx", "docx", module="docx", extra="docx"),
    "latex": DocumentFormat("tex", "latex", figures="pdf"),
    "md": DocumentFormat("md", "markdown"),
    "pdf": DocumentFormat("pdf", "pdf", attaches=True, module="typst", extra="pdf"),
    "rtf": DocumentFormat("rtf", "rtf"),
    "text": DocumentFormat("txt", "text"),
}
"""The formats of a report, by name."""


def check_formats(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of formats, each once.

    Raises
    ------
    InputError
        If there is no such format, or a library it needs is not installed.
    """
    chosen = tuple(dict.fromkeys([names] if isinstance(names, str) else names))
    if not chosen:
        raise InputError(
            setting("formats") + f" is empty: choose from {', '.join(RENDERERS)}"
        )
    for name in chosen:
        if name not in RENDERERS:
            raise InputError(
                setting("formats") + f": there is no format {show(name)}"
                f"{nearest(name, RENDERERS)}; choose from {', '.join(RENDERERS)}"
            )
        _require(name, RENDERERS[name])
    return chosen


def is_available(file_format: DocumentFormat) -> bool:
    """Return whether the package that a format needs is installed."""
    return not file_format.module or find_spec(file_format.module) is not None


def _require(name: str, file_format: DocumentFormat) -> None:
    if not is_available(file_format):
        raise InputError(
            f"the format {name} needs a package that is not installed: in the source "
            f"folder of pycompare, pip install '.[{file_format.extra}]'"
        )
