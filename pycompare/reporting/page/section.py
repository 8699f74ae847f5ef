"""One section of a report: a metric by itself, or all of them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pycompare.reporting.document import Figure
from pycompare.reporting.page.tables import Table
from pycompare.reporting.page.underlined import Underlined


@dataclass(frozen=True)
class Part:
    """A piece of a section: a heading, then paragraphs, tables and pictures.

    ``folded``: closed on the page until the reader opens it, or prints.
    """

    heading: str
    content: tuple[str | Table | Underlined | Figure, ...]
    folded: bool = False


@dataclass(frozen=True)
class Section:
    """What a report says under one title.

    Attributes
    ----------
    title : str
    prefix : str
        Begins the names of the section's files; never the user's text.
    verdict : tuple of str
        Sentences.
    parts : tuple of Part
    figures : tuple of Figure
    tables : dict of str to DataFrame
        For CSV files, full precision.
    not_in_r : tuple of str
        Adjustments that R cannot repeat for so many algorithms.
    """

    title: str
    prefix: str
    verdict: tuple[str, ...]
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...]
    tables: dict[str, pd.DataFrame]
    not_in_r: tuple[str, ...]


def present(heading: str, *content: Any) -> Part:
    """Return a part without what there is not."""
    return Part(heading, tuple(c for c in content if c is not None))


def pictures(figures: Sequence[Figure], left_out: str | None = None) -> list[Part]:
    """Return the pictures as a part, if there are any, and say which there are not."""
    told = () if left_out is None else (left_out,)
    return [Part("Pictures", (*figures, *told))] if figures or told else []
