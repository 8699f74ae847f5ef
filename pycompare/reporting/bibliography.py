"""Sources of methods: their entries, and which of them a text names."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal, Protocol, runtime_checkable

from pycompare.base.arguments import check_word
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.version import __version__
from pycompare.designs.compare import Comparison
from pycompare.designs.pair_methods import described
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.document import plain as as_text
from pycompare.reporting.render.booktabs import portable
from pycompare.results.result import PairsResult, plain

_ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.DOTALL)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.MULTILINE)
_PLACES = ("journal", "booktitle", "publisher", "school", "note")
_FORMS = ("bibtex", "text")


@dataclass(frozen=True, eq=False)
class Work:
    """One source.

    Attributes
    ----------
    key, kind : str
        As in BibTeX.
    fields : dict of str to str
    """

    key: str
    kind: str
    fields: dict[str, str]

    @property
    def surname(self) -> str:
        """Last name of the first author, without ``van``."""
        first = self.fields["author"].split(" and ")[0].split(",")[0]
        return first.split()[-1]

    @property
    def bibtex(self) -> str:
        """The entry, in ASCII: letters with accents are commands that BibTeX knows."""
        held = {name: _in_bibtex(v) for name, v in self.fields.items()}
        lines = "".join(f"  {name} = {{{v}}},\n" for name, v in held.items())
        return f"@{self.kind}{{{self.key},\n{lines}}}\n"

    @property
    def text(self) -> str:
        """The entry as a line of a list of references."""
        fields = self.fields
        authors = fields["author"].replace(" and ", "; ")
        place = next((fields[name] for name in _PLACES if name in fields), "")
        volume = f" {fields['volume']}" if "volume" in fields else ""
        pages = f", {fields['pages']}" if "pages" in fields else ""
        named = f"{place}{volume}{pages}".replace("--", "–")
        title = fields["title"].replace("``", "“").replace("''", "”")
        return f"{authors} ({fields['year']}). {title}. {named}."


def _in_bibtex(value: str) -> str:
    r"""Return a field in ASCII: letters with accents are commands within braces.

    Examples
    --------
    >>> print(_in_bibtex("Šidák, Zbyněk"))
    {\v{S}}id{\'{a}}k, Zbyn{\v{e}}k
    """
    return "".join(c if c.isascii() else f"{{{portable(c)}}}" for c in value)


_OWN = Work(
    "pycompare",
    "misc",
    {
        "author": "The pycompare authors",
        "title": "pycompare: comparison of classification algorithms, validated "
        "against R",
        "year": "2026",
        "note": f"version {__version__}",
    },
)


@cache
def works() -> tuple[Work, ...]:
    """Return every source, by the name of its first author."""
    file = resources.files("pycompare.reporting").joinpath("references.bib")
    text = file.read_text(encoding="utf-8")
    return tuple(
        Work(key, kind, dict(_FIELD.findall(inside)))
        for kind, key, inside in _ENTRY.findall(text)
    )


def bibtex(text: str) -> str:
    """Return the entries of pycompare and of the sources that a text names."""
    return "\n".join(work.bibtex for work in [_OWN, *cited(text)])


@runtime_checkable
class _Sourced(Protocol):
    """A result that names its source."""

    reference: str


@runtime_checkable
class _Exported(Protocol):
    """A result in plain values, its sources among them."""

    def to_dict(self) -> dict[str, Any]: ...


def cited(text: str) -> list[Work]:
    """Return the sources that a text names by author and year.

    Examples
    --------
    >>> [work.key for work in cited("Holm (1979); Nadeau and Bengio 2003")]
    ['holm1979', 'nadeau2003']
    """
    plainly = _without_accents(text)
    return [
        work
        for work in works()
        # Most are not named at all: their patterns are not compiled.
        if work.fields["year"] in plainly
        and _plain_surname(work) in plainly
        and _pattern(work).search(plainly)
    ]


@cache
def _pattern(work: Work) -> re.Pattern[str]:
    """Return how texts name a source: ``Holm (1979)``, ``Nadeau and Bengio 2003``."""
    name = re.escape(_plain_surname(work))
    first = r"(?<!& )(?<!and )\b"  # no second author of another work
    return re.compile(rf"{first}{name}\b[^();\d]{{0,60}}\(?{work.fields['year']}\b")


@cache
def _plain_surname(work: Work) -> str:
    return _without_accents(work.surname)


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text.replace("ı", "i"))
    return "".join(c for c in parts if not unicodedata.combining(c))


@checked
def cite(*results: Any, form: Literal["bibtex", "text"] = "bibtex") -> str:
    """Return the citation of pycompare, and the sources of the methods of results.

    Parameters
    ----------
    *results : Comparison or any result
        Whose methods are cited; none: pycompare alone.
    form : {"bibtex", "text"}
        Entries of BibTeX, or lines of a list of references.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If there is no such form, or something is no result.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.rank_pairs(pc.example(), adjust="holm")
    >>> [line.split(" (")[0] for line in pc.cite(pairs, form="text").splitlines()]
    ['The pycompare authors', 'Demšar, Janez', 'Holm, Sture']
    """
    check_word("form", form, _FORMS)
    for result in results:
        if not isinstance(result, _Sourced | _Exported):
            raise InputError(
                f"{show(result)} of type {type(result).__name__} is no result, and has "
                "no methods to cite"
            )
    text = "\n".join(words for result in results for words in _words(result))
    named = [_OWN, *cited(text)]
    if form == "bibtex":
        return "\n".join(work.bibtex for work in named)
    return "\n".join(work.text for work in named)


def _words(result: Any) -> Iterator[str]:
    """Yield the texts of a result that may name its sources."""
    if isinstance(result, Comparison):
        table = ComparisonReport(result).methods()
        yield from (as_text(cell.text) for row in table.cells() for cell in row)
    if isinstance(result, _Sourced):
        yield str(result.reference)
    if isinstance(result, PairsResult):
        yield described(result.called).reference
    if isinstance(result, _Exported):
        yield json.dumps(plain(result.to_dict()), ensure_ascii=False)
