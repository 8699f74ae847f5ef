"""The page of the five source documents: its functions, checks, numbers and counts."""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path

import pytest

import pycompare as pc

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
NONE = "–"
HEADER = ["System", "Function", "Check", "Published", "Here", "Open"]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


ROWS = [
    cells(line)
    for line in PAGE.splitlines()
    if line.startswith("| ") and cells(line) != HEADER
]
KNOWN = [row for row in ROWS if row[1] != NONE]


def test_the_tables_have_the_systems_that_the_page_counts():
    assert all(len(row) == len(HEADER) for row in ROWS)
    open_ones = [row for row in ROWS if row[5]]
    works = len(ROWS) - len(open_ones)
    assert f"{works} of {len(ROWS)} rows work" in PAGE
    assert all(row[5] for row in ROWS if row[1] == NONE)


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: row[0])
def test_functions_exist_and_checks_are_files(row):
    for name in re.findall(r"`([\w.]+)`", row[1]):
        attrgetter(name)(pc)
    places = re.findall(r"`([\w./]+)`", row[2])
    assert places and all((ROOT / place).exists() for place in places)


@pytest.mark.parametrize(
    "row", [r for r in KNOWN if re.search(r"\d", r[4])], ids=lambda row: row[0]
)
def test_numbers_here_are_those_of_the_check(row):
    place = ROOT / re.findall(r"`([\w./]+)`", row[2])[0]
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    text = " ".join(file.read_text(encoding="utf-8") for file in files)
    shown = re.sub(r"[A-Z]\w*[.-]?\d?", "", row[4])  # names of learners
    for number in re.findall(r"\d[\d.]*\d|\d", shown):
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", text), number


def test_bergmann_hommel_makes_three_groups_of_five_classifiers():
    pairs = pc.rank_pairs(pc.example(), adjust="bergmann-hommel")
    assert pc.cliques(pairs) == (("C4.5", "NaiveBayes"), ("CN2", "1-NN"))
