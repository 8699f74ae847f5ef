"""The README: its links lead somewhere, its options exist, its Python runs."""

import re
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare import cli

TEXT = (Path(__file__).parents[1] / "README.md").read_text()
HEADINGS = re.findall(r"(?m)^## (.*)$", TEXT)
COMMANDS = [
    line
    for block in re.findall(r"(?s)```\n(.*?)```", TEXT)
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("pycompare ")
]


def test_links_lead_to_headings_and_files():
    known = {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in HEADINGS}
    for target in re.findall(r"\]\(([^)]*)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in known, target
        else:
            assert (Path(__file__).parents[1] / target).is_file(), target


@pytest.mark.parametrize("command", COMMANDS)
def test_options_of_every_command_exist(command):
    _, name, *words = command.split("#")[0].split()
    known = {o for p in cli.cli.get_command(None, name).params for o in p.opts}
    assert {w for w in words if w.startswith("--")} <= known


def table(path: Path, columns: dict[str, list[str]], **scores: str) -> None:
    """Write random scores for all combinations of some labels."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(list(product(*columns.values())), columns=list(columns))
    for name in scores:
        frame[name] = rng.random(len(frame))
    frame.to_csv(path, index=False)


@pytest.mark.filterwarnings("ignore")
def test_python_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    shutil.copy(pc.example_path(), "scores.csv")
    folds = ["1", "2", "3", "4", "5"]
    cv = {"model": ["a", "b", "c"], "dataset": list("stuvwx"), "fold": folds}
    table(tmp_path / "cv.csv", cv, error="", auc="")
    cases = {"model": ["a", "b"], "fold": folds, "label": ["yes", "no"], "n": folds}
    table(tmp_path / "predictions.csv", cases, score="")
    levels = {"data": list("stu"), "algorithm": ["a", "b"], "fold": folds}
    table(tmp_path / "counts.csv", levels | {"theta": [0.3, 0.6]}, tp="", fp="", fn="")
    section = TEXT.split("\n## From Python\n")[1].split("\n## ")[0]
    names = {"frame": pd.read_csv("counts.csv")}
    snippets = re.findall(r"(?s)```python\n(.*?)```", section)
    assert len(snippets) == 2
    for snippet in snippets:
        exec(compile(snippet, "README.md", "exec"), names)
    assert Path("report11/report.html").is_file()
    assert Path("curves/report.html").is_file()
    assert "Bergmann" in capsys.readouterr().out


def test_every_method_says_who_its_reference_is():
    table = TEXT.split("| Method | Function | Reference |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    assert len(rows) > 80
    for row in rows:
        assert len(row) == 4, row
        assert re.match(r"(R|own): |none\b", row[2]), row
