"""A fact is written in one way: on the page, in figures, documents and the paper."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.reporting.document import p_text

pytestmark = pytest.mark.usefixtures("blank_pictures")

NUMBER = r"−?\d+\.\d+"
FACT = re.compile(rf"({NUMBER})[\s|&]*\[\s*({NUMBER})\s*,\s*({NUMBER})\s*\]")
P = re.compile(r"[\s|&,*]*(?:p =?)?\s*([<>] ?\d\.\d+|\d\.\d+)")
DOCUMENTS = {"page", "docx", "rtf", "report.md", "report.tex", "report.txt"}
RENDERERS = ("html", "md", "text", "latex", "docx", "rtf")


def right_or_wrong() -> pc.Scores:
    rng = np.random.default_rng(3)
    chance = np.array([0.55, 0.7, 0.72])
    right = (rng.random((150, 3)) < chance).astype(float)
    frame = pd.DataFrame(right, columns=["A", "B", "C"])
    return pc.Scores.from_wide(frame, metric="accuracy", better="higher")


MADE: dict[str, tuple[Any, pc.Plan]] = {
    "data sets": (pc.example, pc.Plan(blocks="datasets")),
    "folds": (lambda: pc.example("folds"), pc.Plan(n_train=216, n_test=24)),
    "cases": (right_or_wrong, pc.Plan(blocks="cases")),
}


def texts(folder: Path, comparison: pc.Comparison) -> Iterator[tuple[str, str]]:
    """Yield everything that people read, by its name, with one form of minus."""
    page = (folder / "report.html").read_text("utf-8")
    shown = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    yield "page", re.sub(r"<[^>]*>", " ", shown)
    yield "pictures", " ".join(re.findall(r' alt="([^"]*)"', page))
    with zipfile.ZipFile(folder / "report.docx") as held:
        docx = held.read("word/document.xml").decode()
    yield "docx", re.sub(r"<[^>]*>", "", re.sub(r"</w:(?:p|tc)>", " ", docx))
    rtf = (folder / "report.rtf").read_text("ascii")
    rtf = re.sub(r"\\u(\d+)\s?\??", lambda m: chr(int(m[1])), rtf)
    yield "rtf", re.sub(r"\\[a-z]+-?\d* ?|[{}]", " ", rtf)
    for name in ("report.md", "report.txt", "report.tex", *PAPER):
        path = folder / name
        if path.is_file():
            yield name, path.read_text("utf-8")
    yield "summary", comparison.summary()
    yield "methods text", comparison.methods_text()


PAPER = ("paper/table.tex", "paper/paragraph.tex")


def one_minus(text: str) -> str:
    text = re.sub(r"\$-\$|\\textminus\{\}|\{-\}|\\minus ?", "−", html.unescape(text))
    text = text.replace(r"\textless{}", "<").replace("$<$", "<").replace("~", " ")
    text = text.replace("\N{NO-BREAK SPACE}", " ").replace("\\", " ").replace("{", " ")
    text = re.sub(r"textbf|bfseries|[{}*]|\bpc\w+", " ", text)
    return re.sub(r"(?<![\w.])-(?=\d)", "−", text)


def rounds(text: str, value: float) -> bool:
    """Return whether a text is a number, its sign aside, rounded in any way."""
    digits = len(text.partition(".")[2])
    shown = float(text.replace("−", "-"))
    return abs(abs(shown) - abs(value)) <= 0.5001 * 10.0**-digits


@pytest.fixture(scope="module", params=MADE)
def written(request, tmp_path_factory, blank_pictures):
    make, plan = MADE[request.param]
    comparison = pc.compare(make(), plan)
    out = tmp_path_factory.mktemp("one") / "report"
    folder = comparison.report(out, formats=list(RENDERERS))
    held = [(name, one_minus(text)) for name, text in texts(folder, comparison)]
    return comparison, held


def is_of(found: re.Match[str], row: Any) -> bool:
    """Return whether a text writes estimate and interval of a pair, turned or not."""
    signs = [x[:1] == "−" for x in found.groups()]
    values = (row.estimate, row.conf_low, row.conf_high)
    turned = (-row.estimate, -row.conf_high, -row.conf_low)
    return any(
        all(map(rounds, found.groups(), held))
        and signs[1:] == [x < 0 for x in held[1:]]
        for held in (values, turned)
    )


def test_estimate_interval_and_p_of_a_pair_have_one_form(written):
    comparison, held = written
    alpha = comparison.plan.alpha
    rows = list(comparison.pairs.itertuples())
    forms: dict[int, dict[frozenset[str], set[str]]] = {row.Index: {} for row in rows}
    for name, text in held:
        for found in FACT.finditer(text):
            of = [row for row in rows if is_of(found, row)]
            if len(of) != 1:
                continue  # of another quantity, or rounded to one of several pairs
            form = frozenset(x.lstrip("−") for x in found.groups())
            forms[of[0].Index].setdefault(form, set()).add(name)
            p = P.match(text, found.end())
            wanted = p_text(of[0].p_adjusted, alpha)
            assert p is None or p[1] == wanted, (name, found, of[0])
    known = [at for at in forms.values() if at]
    assert len(known) > 0.7 * len(rows)
    for written_as in known:
        [places] = written_as.values()  # one form only
        assert places >= DOCUMENTS, written_as


def test_numbers_of_the_answer_are_those_of_its_table(written):
    comparison, held = written
    first = next(text for name, text in held if name == "report.md")
    answers, _, _ = first.partition("For your paper")
    said = re.findall(r"(?m)^ *[^|\n]* is significantly better[^|\n]*", answers)
    shown = {x.lstrip("−") for fact in FACT.findall(first) for x in fact}
    shown |= set(re.findall(r"\d\.\d{3,4}(?= *\|)", first))
    for number in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.])", " ".join(said)):
        assert number in shown | {f"{comparison.plan.alpha:g}", "0.001"}, number
