"""``reproduce.R`` computes the numbers of results.json, and notices a changed one."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess

import pytest

from pycompare.interop.rscript import reference_folder
from pycompare.reporting.evidence.json_places import leaves
from tests.conftest import golden

FEWEST = {"example": 400, "folds": 1600, "sweep": 150, "curves": 100, "model": 100,
          "hostile": 2000, "runs": 150}  # fmt: skip
"""Numbers that R computes at least."""


def reproduced(folder, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["Rscript", "--vanilla", folder / "reproduce.R"],
        capture_output=True, encoding="utf-8", timeout=600, **options,
    )  # fmt: skip


@pytest.mark.r
@pytest.mark.parametrize("kind", FEWEST)
def test_every_number_agrees_to_ten_digits(reports, kind, tmp_path):
    found = reproduced(reports(kind), cwd=tmp_path)
    assert found.returncode == 0, found.stdout[-2000:] + found.stderr[-2000:]
    agree, compared, digits = map(
        int,
        re.search(r"(\d+) of (\d+) numbers .* agree to (\d+)", found.stdout).groups(),
    )
    assert agree == compared >= FEWEST[kind] and digits == 10


@pytest.mark.r
def test_a_changed_number_is_named_and_the_status_is_1(reports, tmp_path):
    folder = shutil.copytree(reports("example"), tmp_path / "re port")
    path = folder / "results.json"
    held = json.loads(path.read_text())
    held["analyses"][0]["pairs"][6]["p_value"] *= 1 + 1e-9
    path.write_text(json.dumps(held, indent=1) + "\n")
    found = reproduced(folder)
    assert found.returncode == 1
    [line] = [x for x in found.stdout.splitlines() if x.startswith("DIFFERS")]
    assert "analyses/0/pairs/6/p_value" in line


@pytest.mark.r
def test_changed_data_give_other_numbers(reports, tmp_path):
    folder = shutil.copytree(reports("example"), tmp_path / "report")
    path = folder / "data" / "r_1.csv"
    lines = path.read_text().splitlines()
    lines[1] = re.sub(r"0\.\d+$", "0.999", lines[1])
    path.write_text("\n".join(lines) + "\n")
    found = reproduced(folder)
    assert found.returncode == 1 and found.stdout.count("DIFFERS") > 20


@pytest.mark.parametrize("kind", FEWEST)
def test_the_table_of_numbers_points_to_the_numbers_of_the_results(reports, kind):
    folder = reports(kind)
    held = list(leaves(json.loads((folder / "results.json").read_text())))
    with (folder / "data" / "numbers.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows
    for row in rows:
        assert held[int(row["value"]) - 1][0] == row["place"].removeprefix("'")
    script = (folder / "reproduce.R").read_text()
    for name in {row["result"] for row in rows} - {""}:
        assert f"\n{name} <- " in script


@pytest.mark.r
def test_tails_of_the_studentised_range_agree_with_46_digit_integration(tmp_path):
    rows = [row for row in golden("studentized_range_mpmath")["rows"] if row["sf"] > 0]
    call = "\n".join(
        f'cat(sprintf("%.17g\\n", ptukey({row["q"]!r}, {row["k"]}, '
        f"{str(row['df']).replace('inf', 'Inf')}, lower.tail = FALSE)))"
        for row in rows
    )
    code = (reference_folder() / "accurate_tails.R").read_text() + call
    (tmp_path / "run.R").write_text(code)
    made = subprocess.run(
        ["Rscript", "--vanilla", tmp_path / "run.R"],
        capture_output=True, encoding="utf-8", check=True, timeout=600,
    )  # fmt: skip
    for row, text in zip(rows, made.stdout.split(), strict=True):
        assert float(text) == pytest.approx(row["sf"], rel=1e-12), row
