"""Texts that reach people use the words of a journal: patterns and phrases to avoid."""

import functools
import re

import pytest

from tests.language import PATTERNS, PHRASES, Text, all_texts, report_texts

LEFT = {
    "one X a Y": 1,
    "say, tell": 26,
    "where for if": 16,
    "what is ...": 34,
    "refuse": 0,
    "counts as, takes as": 15,
    "alone, by itself": 69,
}
"""Places still to be rewritten, of 3,231 at first; a number here may only fall."""


@functools.cache
def texts():
    """Read all texts once, where they are tested: not in each process that collects."""
    return all_texts()


@pytest.mark.parametrize("name", PATTERNS)
def test_no_place_is_added(name):
    places = list(PATTERNS[name].places(texts()))
    listed = "\n".join(f"{p.file}:{p.line}: {p.text}" for p in places)
    instead = PATTERNS[name].instead
    assert len(places) <= LEFT[name], f"write {instead}; one of these is new:\n{listed}"


def test_no_phrase_of_the_tables_of_rewrites_is_back():
    words = re.compile("|".join(PHRASES).replace(" ", r"\s+"), re.IGNORECASE)
    read = (*texts(), *report_texts())  # a phrase may be put together of two parts
    found = [(t.file, t.line, m.group()) for t in read for m in words.finditer(t.text)]
    assert found == []


def test_no_text_advises_to_install_a_name_that_is_not_ours_yet():
    advice = re.compile(r"pip install\s+\S?pycompare")
    found = [(t.file, t.line) for t in texts() if advice.search(t.text)]
    assert found == []


WRONG = {
    "one X a Y": "A table has one row a case.",
    "say, tell": "The column says the class.",
    "where for if": "The estimate is NaN where nothing varies.",
    "what is ...": "Return what is left of the scores.",
    "refuse": "Other values are refused.",
    "counts as, takes as": "Each failure counts as 0.",
    "alone, by itself": "Each block is tested by itself.",
}
RIGHT = {
    "one X a Y": "The table has one row at a time, and one row per case.",
    "say, tell": "The plan does not say how the folds were made.",
    "where for if": "Interrupted runs resume where they stopped.",
    "what is ...": "An error states what is wrong and what to do.",
    "refuse": "A refusal has its reason.",
    "counts as, takes as": "Missing runs count as missing cells.",
    "alone, by itself": "With the folder alone it lists the files.",
}


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_find_wrong_uses_and_leave_right_ones(name):
    pattern = PATTERNS[name]
    assert len(list(pattern.places([Text("a", 1, WRONG[name])]))) == 1
    assert list(pattern.places([Text("a", 1, RIGHT[name])])) == []
