"""Renderers: a document in, bytes out. None knows what was analysed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pycompare.reporting.document import Document
from pycompare.reporting.render import html

FORMATS: Mapping[str, Callable[[Document], bytes]] = {"html": html.render}
"""The formats of a report, by the ending of its file; a new one is a module here."""
