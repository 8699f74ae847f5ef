"""``reproduce.R`` computes the numbers of results.json, and notices a changed one."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.formatting.packed import unpack
from pycompare.base.interop.r_program import program
from pycompare.base.interop.rscript import reference_folder
from pycompare.reporting.evidence.cross_check import CrossCheck, cross_check
from pycompare.reporting.evidence.json_places import leaves
from pycompare.reporting.evidence.without_r import NO_REASON
from pycompare.reporting.write import write_program
from pycompare.results.result import plain
from tests.conftest import golden

FEWEST = {"example": 400, "folds": 1600, "sweep": 125, "curves": 100, "model": 100,
          "hostile": 1000, "runs": 150, "unequal": 100, "margin": 40,
          "prompts": 60, "weighted": 60, "readers": 400, "trained": 300,
          "posterior": 55, "tasks": 250, "gate": 30, "battles": 90}  # fmt: skip
"""Numbers that R computes at least."""


def reproduced(folder, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["Rscript", "--vanilla", folder / "reproduce.R"],
        capture_output=True, encoding="utf-8", timeout=600, **options,
    )  # fmt: skip


_CUT = 123456.789
"""Stands for each number of Python that was cut out of a folder."""


def cut(folder, to):
    """Copy a report without the numbers of its results, figures and tables."""
    to = shutil.copytree(folder, to, ignore=shutil.ignore_patterns("tables", "figures"))
    path = to / "results.json"
    held = json.loads(
        path.read_text(), parse_float=lambda _: _CUT, parse_int=lambda _: _CUT
    )
    path.write_text(json.dumps(held, indent=1) + "\n")
    return to


@pytest.mark.slow
@pytest.mark.r
@pytest.mark.parametrize("kind", FEWEST)
def test_r_computes_every_number_that_was_cut_out(reports, kind, tmp_path):
    """What R prints are its own numbers: those of results.json are gone."""
    folder = reports(kind)
    found = reproduced(cut(folder, tmp_path / "cut"), cwd=tmp_path)
    assert found.returncode == 1 and "FAILED" not in found.stdout, found.stderr[-2000:]
    pattern = re.compile(r"DIFFERS (.*): 123456\.789\d*, in R (\S+)", re.M)
    in_r = dict(pattern.findall(found.stdout))
    ours = dict(leaves(json.loads((folder / "results.json").read_text())))
    computed = [row for row in mapped(folder) if row["result"].startswith("result")]
    assert len(computed) >= FEWEST[kind]
    for row in computed:
        place = row["place"].removeprefix("'")
        if isinstance(ours[place], str):
            continue  # NaN and infinity are text, and were not cut out
        near = pytest.approx(ours[place], rel=10.0 ** -int(row["digits"]), abs=1e-12)
        assert float(in_r[place]) == near, place


@pytest.mark.r
def test_a_changed_number_is_named_and_the_status_is_1(reports, tmp_path):
    folder = shutil.copytree(reports("folds"), tmp_path / "re port")
    path = folder / "results.json"
    held = json.loads(path.read_text())
    held["analyses"][0]["corrected"]["table"][0]["p_value"] *= 1 + 1e-9
    path.write_text(json.dumps(held, indent=1) + "\n")
    found = reproduced(folder)
    assert found.returncode == 1
    [line] = [x for x in found.stdout.splitlines() if x.startswith("DIFFERS")]
    assert "analyses/0/corrected/table/0/p_value" in line


@pytest.mark.r
def test_changed_data_give_other_numbers(reports, tmp_path):
    folder = shutil.copytree(reports("folds"), tmp_path / "report")
    path = folder / "data" / "scores.csv"
    lines = path.read_text().splitlines()
    lines[1] = re.sub(r",0\.\d+", ",0.999", lines[1], count=1)
    path.write_text("\n".join(lines) + "\n")
    found = reproduced(folder)
    assert found.returncode == 1 and found.stdout.count("DIFFERS") > 20


def mapped(folder):
    """Return which number of results.json is which of R's."""
    [path] = (folder / "data").glob("numbers.csv*")
    text = unpack(path.name, path.read_bytes()).decode()
    return list(csv.DictReader(io.StringIO(text)))


NOT_COMPUTED = {
    *("settings of the analysis", "counts of the data", "a search for a sample size"),
    *("the bootstrap, of which R draws others", "random permutations"),
    *(
        "intervals by the bootstrap, of which R draws others",
        "random draws of Python's",
    ),
}
"""Numbers that are no result of a method, or are drawn at random by Python."""


@pytest.mark.parametrize("kind", FEWEST)
def test_r_gets_nothing_that_python_prepared(reports, kind):
    """Data are in the folder as they were read; what follows from results is R's."""
    folder = reports(kind)
    data = {path.name.removesuffix(".gz") for path in (folder / "data").iterdir()}
    [own] = data - {"numbers.csv"}
    assert own in (
        *("scores.csv", "predictions.csv", "ratings.csv", "table.csv"),
        "battles.csv",
    )
    script = (folder / "reproduce.R").read_text().partition("# ---- calls")[2]
    for call in script.split(" rank_sets_reference(")[1:]:
        given = call.partition("\n))")[0]
        assert re.search(r"p_adjusted = (square_of|at_least)\(.*result_\d+\$", given)
        assert re.search(r"(positions|better) = -?\w.*result_\d+\$", given)
    held = dict(leaves(json.loads((folder / "results.json").read_text())))
    results = [
        row
        for row in mapped(folder)
        if row["why"] not in NOT_COMPUTED
        and held[row["place"].removeprefix("'")] != "NaN"
    ]
    assert sum(bool(row["result"]) for row in results) >= 0.95 * len(results)


@pytest.mark.r
def test_r_reads_the_scores_of_hostile_names(reports):
    found = cross_check(reports("hostile"))
    assert found.passed and found.compared > 1000


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
    sources = [f"{stem}.R" for stem in ("chi_points", "accurate_tails")]
    texts = [(reference_folder() / name).read_text() for name in sources]
    code = "".join(texts) + call
    (tmp_path / "run.R").write_text(code)
    made = subprocess.run(
        ["Rscript", "--vanilla", tmp_path / "run.R"],
        capture_output=True, encoding="utf-8", check=True, timeout=600,
    )  # fmt: skip
    for row, text in zip(rows, made.stdout.split(), strict=True):
        assert float(text) == pytest.approx(row["sf"], rel=1e-12), row


def repeated(results, to) -> CrossCheck:
    """What R says of the numbers of results alone."""
    titled = [(str(k), one) for k, one in enumerate(results)]
    values = plain(dict(titled))
    write_program(program(titled), values, to)
    return cross_check(to)


def of_one_metric(values: np.ndarray, datasets: str | None = None) -> pc.Scores:
    return pc.Scores(
        values=values[..., None],
        blocks=tuple(f"b{i}" for i in range(len(values))),
        algorithms=tuple(f"A{j}" for j in range(values.shape[1])),
        metrics=(pc.Metric("error", "lower"),),
        datasets=None if datasets is None else tuple(datasets),
    )


@pytest.mark.r
def test_scores_without_error_are_repeated(tmp_path):
    alike = np.array([[0.0, 1.0, 1.0, 4.0]])
    x = np.array([[3.0], [0.5], [-1.0], [7.0], [7.0], [2.0]]) + alike
    one, folds = of_one_metric(x), of_one_metric(x, "ddeeff")
    one_way = of_one_metric(np.repeat(alike, 5, axis=0))
    said = repeated(
        [
            pc.anova(one), pc.anova(one, n_train=9, n_test=1), pc.anova(folds),
            pc.anova(of_one_metric(x * 0 + 1)), pc.anova(of_one_metric(x - x[:, :1])),
            pc.anova(of_one_metric(np.array([[-1.0] * 3, [0.6] * 3, [0.4] * 3]))),
            pc.tukey(one), pc.scheffe(one), pc.dunnett(one, control="A0"),
            pc.pairwise_t(one), pc.tukey(one, n_train=9, n_test=1),
            pc.tukey(one_way, blocked=False), pc.pairwise_t(one_way, blocked=False),
            pc.wins(folds), pc.wins(folds, method="paired-t"),
            pc.wins(folds, method="pairwise-t", adjust="holm"),
            pc.wins(folds, omnibus=True),
        ],
        tmp_path,
    )  # fmt: skip
    assert said.passed and said.compared > 500


@pytest.mark.r
def test_steep_noncentral_tails_of_few_degrees_of_freedom_are_repeated(tmp_path):
    x = np.array([4.0, 4.3, 3.6, 4.1, 3.9, 4.2, 4.05])
    two = of_one_metric(np.column_stack([x, np.zeros(7)]))
    found = pc.paired_t(two)
    assert found.statistic > 40
    assert repeated([found], tmp_path).passed


@pytest.mark.r
def test_a_root_that_is_rounding_has_the_p_value_of_none(tmp_path):
    x = np.random.default_rng(2).normal(size=(9, 3, 2))
    x[:, 1] = x[:, 0]  # the means differ in one direction only
    scores = pc.Scores(
        values=x, blocks=tuple("abcdefghi"), algorithms=tuple("xyz"),
        metrics=(pc.Metric("m", "lower"), pc.Metric("n", "lower")),
    )  # fmt: skip
    found = pc.manova(scores)
    assert found.dimensionality.table["p_value"].iloc[1] == pytest.approx(1, rel=1e-12)
    said = repeated([found, found.dimensionality], tmp_path)
    assert said.passed and said.compared > 20


def test_a_number_without_a_counterpart_has_a_reason_of_its_name(reports):
    for kind in ("example", "folds"):
        with (reports(kind) / "data" / "numbers.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [r["place"] for r in rows if r["why"] == NO_REASON] == []
        assert sum(not r["result"] for r in rows) < 0.1 * len(rows)


@pytest.mark.r
def test_the_opposite_of_a_number_of_r_is_compared_as_such(reports, tmp_path):
    folder = shutil.copytree(reports("folds"), tmp_path / "report")
    path = folder / "data" / "numbers.csv"
    with path.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["name"].startswith("minus")]
    places = {row["place"].rsplit("/", 1)[0] for row in rows}
    place = "rank_sets/auc/neighbours/1"
    assert place in places
    path.write_text(path.read_text().replace(",minus estimate,", ",estimate,"))
    found = reproduced(folder)
    assert found.returncode == 1
    assert f"DIFFERS {place}/estimate" in found.stdout
