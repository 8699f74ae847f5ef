"""Sources: every one that the code names has an entry, with what an entry needs."""

import ast
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

import pycompare as pc
from pycompare.designs.pair_methods import described
from pycompare.reporting.bibliography import cited, works
from tests.syntax import nodes_of

ROOT = Path(pc.__file__).parent
NEEDED = {
    "article": {"author", "title", "journal", "year", "volume", "pages"},
    "book": {"author", "title", "publisher", "year"},
    "inproceedings": {"author", "title", "booktitle", "year", "pages"},
    "incollection": {"author", "title", "booktitle", "year", "pages"},
    "mastersthesis": {"author", "title", "school", "year"},
    "phdthesis": {"author", "title", "school", "year"},
    "unpublished": {"author", "title", "note", "year"},
}
NAMED = re.compile(
    r"[A-Z][\w'’-]+(?:(?:,| &| and|, &)? (?:[A-Z][\w'’-]+|et al\.))* "
    r"\((?:19|20)\d\d\)(?:,? [^;\"]{0,80})?"
)
REFERENCE = re.compile(r"\.\. \[\d+\] (.+?)(?=\n\s*\n|\n\s*\.\. \[|\"\"\")", re.DOTALL)
WITHOUT = {"Obuchowski (1994)", "Tate and Brown (1970)"}
"""Named in the code, but not as the source of a method of a report."""


def texts():
    """Yield the strings of the code that are no docstrings."""
    for path in ROOT.rglob("*.py"):
        said = {
            id(node.body[0].value)
            for node in nodes_of(path)
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
            and ast.get_docstring(node, clean=False) is not None
        }
        for node in nodes_of(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) not in said:
                    yield node.value


@cache
def named():
    return sorted({one for text in texts() for one in NAMED.findall(text)})


def test_every_source_that_the_code_names_has_one_entry():
    found = named()
    assert len(found) > 120
    wrong = [
        one
        for one in found
        if len(cited(one)) != 1 and not any(one.startswith(w) for w in WITHOUT)
    ]
    assert wrong == []


@pytest.mark.parametrize("work", works(), ids=lambda work: work.key)
def test_an_entry_has_what_its_kind_needs(work):
    assert NEEDED[work.kind] <= set(work.fields)
    assert re.fullmatch(r"[a-z]+\d{4}", work.key)
    assert work.key.endswith(work.fields["year"])
    plainly = unicodedata.normalize("NFD", work.surname.lower().replace("ı", "i"))
    assert work.key.startswith(plainly.encode("ascii", "ignore").decode())
    assert "--" not in work.text and "{" not in work.text
    inside = work.bibtex
    assert inside.count("{") == inside.count("}")
    assert not re.search(r"[&%#$_]", inside)


def test_the_entries_are_those_of_the_file():
    text = (ROOT / "reporting" / "references.bib").read_text(encoding="utf-8")
    keys = re.findall(r"(?m)^@\w+\{(\w+),$", text)
    assert keys == sorted(keys) == [work.key for work in works()]
    assert text.count(" = {") == sum(len(work.fields) for work in works())


def test_every_entry_is_named_by_the_code():
    found = {w.key for one in [*named(), *docstring_references()] for w in cited(one)}
    assert [work.key for work in works() if work.key not in found] == []


def docstring_references():
    """Yield the references of all docstrings, each on one line."""
    for path in ROOT.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for one in REFERENCE.findall(text):
            yield " ".join(one.split())


def test_volume_and_pages_are_those_of_the_entries():
    """Where a string or a docstring of the code has them."""
    checked = 0
    for one in [*named(), *docstring_references()]:
        place = re.search(r" (\d+), (\d+)-(\d+)", one)
        work = next(iter(cited(one)), None)
        if place and work is not None and "pages" in work.fields:
            volume = work.fields.get("volume", place[1])
            pages = work.fields["pages"].replace("--", "-")
            assert (volume, pages) == (place[1], f"{place[2]}-{place[3]}"), one
            checked += 1
    assert checked > 200


@pytest.mark.parametrize("adjust", ["holm", "hochberg", "shaffer", "nemenyi"])
def test_results_cite_their_adjustment(adjust):
    pairs = pc.rank_pairs(pc.example(), adjust=adjust)
    [work, *_] = cited(described(pairs.called).reference)
    text = pc.cite(pairs)
    assert f"{{{work.key}," in text and "{pycompare," in text


def test_pycompare_alone_and_another_form():
    assert pc.cite().startswith("@misc{pycompare,")
    assert pc.__version__ in pc.cite(form="text")
    with pytest.raises(pc.InputError, match="choose 'bibtex' or 'text'"):
        pc.cite(form="ris")
