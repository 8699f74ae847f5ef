"""How many commands lead from a file to a comparison, following what is printed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook

from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

NAMES = ("iris", "wine", "glass", "sonar", "heart", "zoo", "yeast", "car")
SCORES = np.random.default_rng(9).integers(600, 990, (8, 3)) / 1000
LEARNERS = ("svm", "knn", "nb")
MOST = 6


def lines(rows, mark=","):
    return "".join(mark.join(map(str, row)) + "\n" for row in rows)


def wide():
    return lines([["dataset", *LEARNERS], *([n, *r] for n, r in rows())])


def rows():
    return zip(NAMES, SCORES.tolist(), strict=True)


def long():
    found = [(n, a, s) for n, r in rows() for a, s in zip(LEARNERS, r, strict=True)]
    return lines([("dataset", "classifier", "accuracy"), *found])


def indexed():
    found = [[i, n, 4 + i, *(f"{s:.1%}" for s in r)] for i, (n, r) in enumerate(rows())]
    return lines([["", "dataset", "#Attr", *LEARNERS], *found])


def spread():
    found = [[n, *(f"{s:.3f} ± 0.02" for s in r)] for n, r in rows()]
    best = [f"**{found[0][1]}**", *found[0][2:]]
    return lines([["dataset", *LEARNERS], [found[0][0], *best], *found[1:]])


def board():
    names = [f"org/{name}-7b" for name in NAMES]
    found = [[n, *r] for n, r in zip(names, SCORES.tolist(), strict=True)]
    return lines([["model", "MMLU", "GSM8K", "HellaSwag"], *found])


def records():
    found = [
        {"run": {"model": a, "seed": 1}, "task": {"dataset": n}, "scores": {"acc": s}}
        for n, r in rows()
        for a, s in zip(LEARNERS, r, strict=True)
    ]
    return "".join(json.dumps(one) + "\n" for one in found)


def german():
    mean = ["Mittelwert", *SCORES.mean(axis=0).round(3).tolist()]
    every = [*([n, *r] for n, r in rows()), mean]
    found = [[n, *(f"{s:.3f}".replace(".", ",") for s in r)] for n, *r in every]
    return "\ufeff" + lines([["Datensatz", *LEARNERS], *found], ";")


def workbook(path: Path) -> None:
    book = Workbook()
    book.active.append(["Ergebnisse, Stand Mai"])
    sheet = book.create_sheet("Tabelle 2")
    for row in (["Datensatz", *LEARNERS], *([n, *r] for n, r in rows())):
        sheet.append(row)
    book.save(path)


KINDS = {
    # name of the file: what it holds, commands at most
    "wide.csv": (wide, 2),
    "long.csv": (long, 2),
    "index.csv": (indexed, 3),
    "german.csv": (german, 2),
    "german.xlsx": (workbook, 2),
    "spread.csv": (spread, 2),
    "board.csv": (board, 2),
    "records.jsonl": (records, 3),
}
OWNER = {"higher|lower": "higher", "score:": "accuracy:"}
"""What the owner of the file knows, in the place of what is printed as open."""


def followed(printed: str, out: Path) -> list[str]:
    """Return the command that is printed, with the first answer to each question."""
    for mark, known in OWNER.items():
        printed = printed.replace(mark, known)
    line = next(one for one in printed.splitlines() if one.startswith("pycompare "))
    words = shlex.split(line)[1:-2]
    for question in re.findall(r"(?m)^\d+\. .*$", printed):
        answer = re.search(r": (--[a-z].*?)(?:, or |$)", question)
        if answer is not None:
            words += shlex.split(answer[1])
    return [*words, "--out", str(out)]


def attempts(path: Path, out: Path) -> int:
    """Return how many commands it takes; all that are typed count."""
    status, printed, told = command("compare", path)
    words = followed(printed, out)
    for count in range(2, MOST):
        status, _, told = command(*words)
        if status == 0:
            return count
        options = re.findall(r"(--[a-z-]+ [^\s(),;.]+)", told)
        assert options, told
        words += shlex.split(options[0])
    raise AssertionError(told)


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_compared_after_so_many_commands(tmp_path, monkeypatch, name):
    made, most = KINDS[name]
    path = tmp_path / name
    monkeypatch.setattr(
        "pycompare.apps.cli.compare.compare_and_report",
        lambda scores, plan, *_: seen.append((scores, plan.settled(scores))),
    )
    seen: list[tuple] = []
    if name.endswith("xlsx"):
        made(path)
    else:
        path.write_text(made(), encoding="utf-8")
    count = attempts(path, tmp_path / "out")
    [(scores, _)] = seen
    values = scores.column()
    wanted = SCORES.T if name == "board.csv" else SCORES
    assert values == pytest.approx(wanted, abs=0.0005 if name == "index.csv" else 1e-9)
    assert count == MEASURED[name] <= most


MEASURED = {
    **dict.fromkeys(("wide.csv", "long.csv", "index.csv", "german.csv"), 2),
    **dict.fromkeys(("german.xlsx", "spread.csv", "board.csv", "records.jsonl"), 2),
}
"""Commands that it takes."""
