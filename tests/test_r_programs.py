"""The study of random plans in R: what a plan leaves, and the page of all of them."""

from __future__ import annotations

import json

import pytest

from validation import r_programs, random_plans

LINE = {
    "seed": 1, "outcome": "agrees", "analysis": "ranks", "algorithms": 3, "blocks": 9,
    "agree": 50, "compared": 50, "fewest": 11, "differs": [],
}  # fmt: skip


@pytest.mark.r
@pytest.mark.parametrize(
    ("seed", "scales"),
    [
        (12, r_programs.SCALES),
        (20, random_plans.SCALES),  # two algorithms that never differ
        (22, random_plans.SCALES),  # they differ on one fold only: W is 0
    ],
)
def test_a_plan_is_repeated_by_r(seed, scales):
    found = r_programs.run(seed, scales)
    assert found["outcome"] == "agrees", found["differs"]
    assert found["agree"] == found["compared"] > 100


KINDS_IN_R = (
    "cases, right or wrong", "cases, graded and clustered", "two algorithms",
    "shared test set, both", "readers, margin and control",
    "model, folds in data sets", "items with runs", "labels beside a judge", "battles",
    "challenge over tasks, failures", "challenge by tests", "runs of agents",
)  # fmt: skip
"""The cheapest of each kind; all of them are in the study."""


@pytest.mark.r
@pytest.mark.parametrize("name", KINDS_IN_R)
def test_a_report_of_each_kind_is_repeated_by_r(name):
    found = r_programs.run_kind(name)
    assert found["outcome"] == "agrees", found["differs"]
    assert found["agree"] == found["compared"] > 50


def test_the_page_counts_plans_and_names_what_differs():
    lines = [
        LINE,
        {"seed": 2, "outcome": "refused"},
        LINE | {"seed": 3, "outcome": "differs", "agree": 48, "differs": ["DIFFERS x"]},
        {"seed": 4, "outcome": "stopped", "differs": ["took\nlong"]},
        {"report": "curves", **dict.fromkeys(("agree", "compared"), 7), "fewest": 12,
         "outcome": "agrees", "differs": []},
        {"report": "bootstrap", **dict.fromkeys(("agree", "compared"), 0),
         "fewest": None, "outcome": "agrees", "differs": []},
        {"report": "models", "agree": 8, "compared": 9, "fewest": 0,
         "outcome": "differs", "differs": ["DIFFERS y"]},
    ]  # fmt: skip
    text = r_programs.page(lines)
    assert "**1 of 3 plans agree on every number; 98 of 100 numbers" in text
    assert "1 further plans were refused" in text
    assert "| ranks | 2 | 1 | 100 | 98 |" in text
    assert "- seed 3: 2 of 50 numbers; first `DIFFERS x`" in text
    assert "- seed 4: took long" in text
    assert "1 of 3 reports agree" in text and "1 without a counterpart" in text
    assert "| curves | 7 | 7 | 12 |" in text and "| bootstrap | 0 | 0 | - |" in text
    assert "- report: models: 1 of 9 numbers; first `DIFFERS y`" in text


def test_an_interrupted_study_goes_on_behind_its_last_line(tmp_path, monkeypatch):
    made = []
    report = {"report": "curves", "outcome": "agrees"} | LINE
    del report["seed"]
    monkeypatch.setattr(r_programs, "KINDS", {"curves": None})
    monkeypatch.setattr(
        r_programs, "run", lambda seed: made.append(seed) or LINE | {"seed": seed}
    )
    monkeypatch.setattr(r_programs, "run_kind", lambda name: report)
    file, page = tmp_path / "lines.jsonl", tmp_path / "page.md"
    file.write_text(json.dumps(LINE | {"seed": 0}) + "\n" + '{"seed": 1, "outc')
    words = ["--plans", "3", "--file", str(file), "--page", str(page)]
    r_programs.main(words)
    assert made == [1, 2] and len(file.read_text().splitlines()) == 4
    assert "3 of 3 plans" in page.read_text()


def test_the_stored_page_is_that_of_the_stored_lines():
    lines = r_programs.read_lines(r_programs.LINES)
    assert r_programs.PAGE.read_text() == r_programs.page(lines)
