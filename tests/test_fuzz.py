"""Files and commands that nobody would write: done, or refused in clear words.

The suite tries the same cases each time, and all that ever failed; ``tests.fuzz``
tries new ones.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests import fuzz
from tests.byte_fuzz import CORPUS, KINDS
from tests.command_fuzz import (
    COMMANDS,
    KEPT,
    Case,
    ended,
    known_case,
)
from tests.same_data import differing, retold

MOST = {
    **{"compare wide": 3, "compare long": 2, "curves": 2, "unblind": 3, "verify": 6},
    **{"diff": 6, "certificate": 10, "run": 1, "mrmc": 6, "model": 12, "power": 20},
    **{"simulate": 10, "compare cases": 3, "battles": 6, "gate": 6},
}
"""Cases of the commands that take long; all others have more."""


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_are_done_or_refused(name):
    found = []
    fuzz.try_commands(name, found.append, MOST.get(name, 30))
    ends = [(how, one) for one, how in found if how not in (None, "done", "refused")]
    assert len(found) >= 2 and not ends, ends[-1]


KNOWN = sorted(KEPT.glob("*.json"))


@pytest.mark.parametrize("path", KNOWN, ids=[path.stem for path in KNOWN])
def test_commands_that_once_failed_are_done_or_refused(path):
    assert ended(known_case(path)) in ("done", "refused")


# ---- the hour ------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch):
    """Rounds of a few cases of one reader and one command."""
    monkeypatch.setattr(fuzz, "KINDS", {"toml": KINDS["toml"]})
    monkeypatch.setattr(fuzz, "COMMANDS", {"plan": COMMANDS["plan"]})
    monkeypatch.setattr(fuzz, "FILES", 20)
    monkeypatch.setattr(fuzz, "CASES", 3)
    monkeypatch.setattr(fuzz, "SHRINKING", 0)


def test_an_hour_goes_on_where_it_stopped(small, tmp_path):
    hour = fuzz.Hour(tmp_path, minutes=60)
    hour.step(hour.first)
    again = fuzz.Hour(tmp_path, minutes=60)
    assert (again.first, again.lines) == (1, hour.lines)
    assert again.lines[0]["name"] == "toml"
    assert sum(again.lines[0]["counts"].values()) == 20
    *_, row, total = again.summary()
    assert re.fullmatch(r"\| toml \| 20 \| \d+% \| 0 \| \d\.\d\d \|", row)
    assert total.startswith("20 cases, 1 steps, ")


def test_an_hour_that_is_over_is_followed_by_another_one(small, tmp_path):
    assert fuzz.Hour(tmp_path, minutes=1e-9).run()
    again = fuzz.Hour(tmp_path, minutes=60)
    assert (again.first, again.lines, again.spent) == (1, [], 0)


def test_what_fails_is_kept_and_makes_the_hour_fail(small, tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "CORPUS", tmp_path)
    monkeypatch.setattr("tests.command_fuzz.KEPT", tmp_path / "commands")
    monkeypatch.setattr(fuzz, "ended", lambda one: "half a page")
    monkeypatch.setattr("tests.byte_fuzz.tried", lambda *_: "a traceback")
    for _ in ("toml", "plan"):
        assert not fuzz.Hour(tmp_path / "at", minutes=1e-9).run()
    assert len(list(tmp_path.glob("toml-*"))) == 1
    (kept,) = (tmp_path / "commands").glob("plan-*.json")
    assert known_case(kept).arguments[0] == "plan"


def test_a_case_that_fails_is_made_simpler_for_a_limited_time(monkeypatch):
    def failed():
        found = []
        fuzz.try_commands("plan", found.append, 3)
        return [one for one, how in found if how is not None]

    monkeypatch.setattr(fuzz, "ended", lambda one: "half a page")
    # How simple the last is differs: Hypothesis draws from the modules that are loaded.
    assert len(failed()) > 1
    monkeypatch.setattr(fuzz, "SHRINKING", -1)
    assert len(failed()) == 1


def test_failures_of_one_kind_differ_in_values_only():
    first = "Traceback\n  line 3\nValueError: 'x' is 0.5e-3 of \"A\"\n"
    assert fuzz.kind_of(first) == fuzz.kind_of("ValueError: 'y' is 12 of \"B\"")
    assert fuzz.kind_of(first) != fuzz.kind_of("KeyError: 'x'")


def test_a_crash_is_told_with_the_case_under_way():
    def work(send):
        import os

        send((b"fine", None))
        send((b"fine", "read"))
        send((b"bad", None))
        os._exit(1)

    found = list(fuzz.tried(work))
    assert found == [(b"fine", "read"), (b"bad", "the process ended")]


# ---- what is held --------------------------------------------------------------------


def test_a_traceback_a_lost_file_and_half_a_page_are_failures(monkeypatch):
    def failing(*_):
        raise KeyError("lost")

    case = Case(["diff", "first", "second"], {}, ["first", "second"])
    monkeypatch.setattr("tests.command_fuzz.command", failing)
    assert "KeyError: 'lost'" in ended(case)
    for status, complained, wrong in [
        (1, "", "status 1"),
        (2, "no name before it", "status 2"),
        (2, "pycompare: not enough memory: x", "refused with"),
        (0, "RuntimeWarning: x", "it is done, and says"),
    ]:
        answer = (status, "", complained)
        monkeypatch.setattr("tests.command_fuzz.command", lambda *_, a=answer: a)
        assert wrong in ended(Case(["plan", "x"]))
    monkeypatch.setattr("tests.command_fuzz.command", lambda *_: (0, "", ""))
    assert ended(Case(["plan", "--out", "out"])) == "it writes nothing"


@pytest.mark.parametrize(
    "held",
    [
        {"p_adjusted": "NaN", "rejected": True},
        {"p_adjusted": 2.0, "rejected": False},
        [{"p_adjusted": 0.5, "significant": None}],
    ],
)
def test_decisions_without_a_p_value_are_found(held):
    from tests.command_fuzz import _wrong_decisions

    assert list(_wrong_decisions(held, True))
    assert not list(_wrong_decisions({"p_adjusted": 0.5, "rejected": True}, False))


TABLE = "data,A,B\n" + "".join(f"b{i},0.{i},0.{i * 7 % 9}\n" for i in range(1, 9))
COMPARE = ["compare", "x", "--wide", "--control", "A"]


def test_the_same_data_in_other_words():
    arguments, table = retold(COMPARE, TABLE)
    head, *rows = [line.split(",") for line in table.replace('"', "").splitlines()]
    assert sorted(head[1:]) == ["n1", "n2"]
    assert arguments[-1] == "n2"
    column = head.index("n2")
    assert sorted((row[0], float(row[column])) for row in rows) == [
        (f"b{i}", pytest.approx(4 * i / 10)) for i in range(1, 9)
    ]
    assert [row[0] for row in rows] != [f"b{i}" for i in range(1, 9)]
    assert (
        '"0.7"'
        in retold([*COMPARE, "--margin", "0.1", "--hypothesis", "equivalence"], TABLE)[
            1
        ]
    )
    assert retold(COMPARE, TABLE + "b9,x,1\n") is None


def test_right_and_wrong_answers_stay_0_and_1_in_other_words():
    answers = "data,A,B\n" + "".join(f"b{i},{i % 2},{i % 3 % 2}\n" for i in range(8))
    _, table = retold(COMPARE, answers)
    assert sorted(table.replace('"', "")) == sorted(
        answers.replace("A", "n2").replace("B", "n1")
    )


def test_other_p_values_are_found_and_drawn_ones_are_not():
    def found(p, **more):
        return {"analyses": [{"p_value": 0.2}, {"p_value": p, **more}]}

    assert "p_value" in differing(found(0.5), found(0.6))
    assert not differing(found(0.5), found(0.5))
    drawn = {"p_source": "sign-flips"}
    assert not differing(found(0.5, **drawn), found(0.6, **drawn))
    one, other = ({"Permutations of x": [{"p_value": p}]} for p in (0.5, 0.6))
    assert not differing(one, other)


def test_a_command_that_depends_on_the_order_of_rows_is_found(monkeypatch):
    answers = iter([0.5, 0.6])

    def depending(*_):
        Path("out").mkdir()
        Path("out.key.json").touch(exist_ok=False)  # as a blind report has
        held = {"analyses": [{"p_value": next(answers)}]}
        Path("out/results.json").write_text(json.dumps(held))
        return 0, "", ""

    monkeypatch.setattr("tests.command_fuzz.command", depending)
    monkeypatch.setattr("tests.command_fuzz._wrong_report", lambda _: "")
    case = Case([*COMPARE, "--out", "out"], {"scores.csv": TABLE})
    assert "p_value: [0.5]" in ended(case)


def test_the_corpus_holds_nothing_else():
    names = {path.name.rpartition("-")[0].replace("-", " ") for path in FILES}
    assert names <= set(KINDS)


FILES = [path for path in CORPUS.iterdir() if path.is_file()]
