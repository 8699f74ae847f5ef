"""The study of random plans in R: what a plan leaves, and the page of all of them."""

from __future__ import annotations

import json

import pytest

from validation import r_programs

LINE = {
    "seed": 1, "outcome": "agrees", "analysis": "ranks", "algorithms": 3, "blocks": 9,
    "agree": 50, "compared": 50, "fewest": 11, "differs": [],
}  # fmt: skip


@pytest.mark.r
def test_a_plan_is_repeated_by_r():
    found = r_programs.run(11)
    assert found["outcome"] == "agrees"
    assert found["agree"] == found["compared"] > 100


def test_the_page_counts_plans_and_names_what_differs():
    lines = [
        LINE,
        {"seed": 2, "outcome": "refused"},
        LINE | {"seed": 3, "outcome": "differs", "agree": 48, "differs": ["DIFFERS x"]},
        {"seed": 4, "outcome": "stopped", "differs": ["took\nlong"]},
    ]
    text = r_programs.page(lines)
    assert "**1 of 3 plans agree on every number; 98 of 100 numbers" in text
    assert "1 further plans were refused" in text
    assert "| ranks | 2 | 1 | 100 | 98 |" in text
    assert "- seed 3: 2 of 50 numbers; first `DIFFERS x`" in text
    assert "- seed 4: took long" in text


def test_an_interrupted_study_goes_on_behind_its_last_line(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(
        r_programs, "run", lambda seed: made.append(seed) or LINE | {"seed": seed}
    )
    file, page = tmp_path / "lines.jsonl", tmp_path / "page.md"
    file.write_text(json.dumps(LINE | {"seed": 0}) + "\n" + '{"seed": 1, "outc')
    words = ["--plans", "3", "--file", str(file), "--page", str(page)]
    r_programs.main(words)
    assert made == [1, 2] and len(file.read_text().splitlines()) == 3
    assert "3 of 3 plans" in page.read_text()


def test_the_stored_page_is_that_of_the_stored_lines():
    lines = r_programs.read_lines(r_programs.LINES)
    assert r_programs.PAGE.read_text() == r_programs.page(lines)
