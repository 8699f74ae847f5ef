"""The command line on good and bad input: a right report, or one line and status 2."""

import json
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.plan import Plan

pytestmark = pytest.mark.usefixtures("blank_pictures")

EXAMPLE = str(pc.example_path())


@pytest.fixture
def wide_file(tmp_path):
    def write(text):
        path = tmp_path / "scores.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def compare_wide(pycompare, path, out, *more):
    return pycompare(
        "compare", path, "--wide", "--metric", "score:higher", "--out", out, *more
    )


def long_text(cell="0.5"):
    rows = ["model,data,score"]
    rng = np.random.default_rng(0)
    for block in range(5):
        for name in ("a", "b", "c"):
            rows.append(f"{name},d{block},{rng.random():.3f}")
    rows[4] = f"a,d1,{cell}"
    return "\n".join(rows) + "\n"


def test_the_example_makes_a_whole_report(pycompare, tmp_path):
    out = tmp_path / "report"
    status, text, _ = pycompare(
        "compare", EXAMPLE, "--wide", "--metric", "accuracy:higher", "--out", out
    )
    assert status == 0
    assert "C4.5 is significantly better than CN2, 1-NN and Kernel (" in text
    names = {p.name for p in out.iterdir()}
    assert names == {
        "report.html",
        "results.json",
        "paper",
        "reproduce.R",
        "manifest.json",
        "tables",
        "figures",
        "data",
    }
    held = json.loads((out / "results.json").read_text())
    [analysis] = held["analyses"]
    omnibus = analysis["ranks"]["omnibus"]
    assert omnibus["statistic"] == pytest.approx(39.91275167785235, 1e-13)
    wanted = pc.signed_rank_pairs(pc.example()).table["p_adjusted"]
    found = [row["p_holm"] for row in analysis["over"][0]["pairs"]]
    assert found == pytest.approx(list(wanted), 1e-13)
    assert held["provenance"]["file_sha256"] == pc.example().source.sha256
    assert (out / "tables" / "typical_difference_pairs.csv").read_text().count(
        "\n"
    ) == 11


def test_a_long_table_with_a_control(pycompare, tmp_path, wide_file):
    status, text, _ = pycompare(
        "compare",
        wide_file(long_text()),
        *("--algorithm", "model", "--block", "data", "--metric", "score:lower"),
        *("--control", "b", "--adjust", "hommel", "--out", tmp_path / "out"),
    )
    assert status == 0
    assert "comparison with b" in text


def test_json_prints_the_results(pycompare, tmp_path):
    status, text, _ = pycompare(
        *("compare", EXAMPLE, "--wide", "--metric", "accuracy:higher"),
        *("--out", tmp_path / "report", "--json"),
    )
    assert status == 0
    assert json.loads(text)["made_by"] == "pycompare comparison"


GOOD = "d,a,b,c\nx,1,2,3\ny,2,3,1\nz,3,1,2\n"
BAD = {
    "empty file": ("", "empty"),
    "header only": ("d,a,b\n", "row"),
    "one algorithm": ("d,a\nx,1\ny,2\n", "algorithm"),
    "one block": ("d,a,b\nx,1,2\n", "block"),
    "text in a score": ("d,a,b\nx,1,abc\ny,1,2\n", "abc"),
    "decimal comma": ('d,a,b\nx,1,"0,5"\ny,1,2\n', "0,5"),
    "nan": ("d,a,b\nx,1,NaN\ny,1,2\nz,2,1\n", "drop-block"),
    "empty cell": ("d,a,b\nx,1,\ny,1,2\nz,2,1\n", "drop-block"),
    "inf": ("d,a,b\nx,1,inf\ny,1,2\n", "inf"),
    "duplicate block": ("d,a,b\nx,1,2\nx,1,2\n", "x"),
    "duplicate algorithm": ("d,a,a\nx,1,2\ny,1,2\n", "a"),
    "collide after trimming": ("d,a, a\nx,1,2\ny,1,2\n", "a"),
    "ragged": ("d,a,b\nx,1\ny,1,2\n", ""),
    "not utf-8": (b"d,a,b\nx\xff,1,2\ny,1,2\n", ""),
    "semicolons": ("d;a;b\nx;1;2\ny;1;2\n", ";"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_tables_are_refused_in_one_line(case, pycompare, wide_file, tmp_path):
    text, expected = BAD[case]
    out = tmp_path / "report"
    status, stdout, stderr = compare_wide(pycompare, wide_file(text), out)
    assert status == 2
    assert stdout == ""
    assert stderr.count("\n") == 1
    assert expected in stderr
    assert "Traceback" not in stderr
    assert not out.exists()
    assert [p.name for p in tmp_path.iterdir()] == ["scores.csv"]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--metric", "score"], "score:higher"),
        (["--metric", "score:up"], "better"),
        (["--metric", "score:higher", "--metric", "other:lower"], "one metric"),
        (["--metric", "score:higher", "--control", "zz"], "zz"),
        (["--metric", "score:higher", "--adjust", "magic"], "bergmann-hommel"),
        (["--metric", "score:higher", "--alpha", "2"], "alpha"),
        (
            ["--metric", "score:higher", "--control", "a", "--adjust", "shaffer"],
            "pairs",
        ),
        (["--metric", "score:higher", "--block", "nothing"], "nothing"),
        (["--metric", "score:higher", "--adjust", "none"], "primary"),
    ],
)
def test_bad_options_are_refused_in_one_line(
    args, expected, pycompare, wide_file, tmp_path
):
    path, out = wide_file(GOOD), tmp_path / "report"
    status, _, stderr = pycompare("compare", path, "--wide", *args, "--out", out)
    assert status == 2
    assert stderr.count("\n") == 1
    assert expected in stderr
    assert not out.exists()


def test_a_missing_role_column_is_named_with_the_columns_there_are(
    pycompare, wide_file, tmp_path
):
    status, _, stderr = pycompare(
        *("compare", wide_file(long_text()), "--algorithm", "modle"),
        *("--block", "data", "--metric", "score:lower", "--out", tmp_path / "out"),
    )
    assert status == 2
    assert "model" in stderr


def test_a_missing_file_is_refused(pycompare, tmp_path):
    status, _, stderr = compare_wide(pycompare, tmp_path / "no.csv", tmp_path / "r")
    assert status == 2
    assert "no.csv" in stderr


def test_a_folder_that_is_not_a_report_is_left_alone(pycompare, wide_file, tmp_path):
    out = tmp_path / "precious"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    status, _, stderr = compare_wide(pycompare, wide_file(GOOD), out, "--overwrite")
    assert status == 2
    assert "left unchanged" in stderr
    assert (out / "thesis.tex").read_text() == "years of work"


def test_an_empty_folder_is_filled(pycompare, wide_file, tmp_path, monkeypatch):
    out = tmp_path / "empty"
    out.mkdir()
    assert compare_wide(pycompare, wide_file(GOOD), out)[0] == 0
    assert (out / "report.html").is_file()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    status, _, stderr = compare_wide(pycompare, wide_file(GOOD), Path())
    assert status == 2 and "name a new folder inside it" in stderr


def test_a_folder_within_a_file_is_refused(pycompare, wide_file, tmp_path):
    (tmp_path / "notes").write_text("text")
    out = tmp_path / "notes" / "report"
    status, _, stderr = compare_wide(pycompare, wide_file(GOOD), out)
    assert status == 2 and "notes is a file, and a report is a folder" in stderr


def test_a_report_is_replaced_only_when_told(pycompare, wide_file, tmp_path):
    path, out = wide_file(GOOD), tmp_path / "report"
    assert compare_wide(pycompare, path, out)[0] == 0
    assert compare_wide(pycompare, path, out)[0] == 2
    assert compare_wide(pycompare, path, out, "--overwrite")[0] == 0


def test_a_failure_while_writing_leaves_nothing_behind(
    pycompare, wide_file, tmp_path, monkeypatch
):
    from pycompare.reporting.render import html

    def broken(*_):
        raise OSError("disk full")

    monkeypatch.setattr(html, "page", broken)
    status, _, stderr = compare_wide(pycompare, wide_file(GOOD), tmp_path / "report")
    assert status == 2
    assert "disk full" in stderr
    assert [p.name for p in tmp_path.iterdir()] == ["scores.csv"]


ODD_NAMES = [
    "__import__('os').system('touch pwned')",
    "<script>alert(1)</script> 名前 é ünïcode 🙂 $x_1$ \\alpha %s {{7*7}}",
    "=1+1",
    "@SUM(A1)",
    "nan",
    "__x",
    "n" * 300,
]
"""Seven: nine have four times as many sets for the closed permutation test."""


def test_odd_names_are_data_everywhere(pycompare, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    import csv

    path = tmp_path / "scores.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["block", *ODD_NAMES])
        for i in range(8):
            writer.writerow([f"<b>{i}", *rng.random(len(ODD_NAMES))])
    out = tmp_path / "report"
    status, _, stderr = compare_wide(pycompare, path, out)
    assert (status, stderr) == (0, "")
    page = (out / "report.html").read_text()
    assert page.count("<script") == 0
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "{{7*7}}" in page
    held = json.loads((out / "results.json").read_text())
    assert held["data"]["algorithms"] == ODD_NAMES
    cells = (out / "tables" / "ranks_mean_ranks.csv").read_text()
    assert "\n=1+1" not in cells
    assert "'=1+1" in cells
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_extreme_scales_give_the_same_verdict(scale, pycompare, tmp_path, wide_file):
    x = pc.example().column()
    lines = ["block,a,b,c,d,e"]
    for i, row in enumerate(x):
        lines.append(f"b{i}," + ",".join(repr(float(v * scale)) for v in row))
    out = tmp_path / "report"
    status, _, _ = compare_wide(pycompare, wide_file("\n".join(lines)), out)
    assert status == 0
    [analysis] = json.loads((out / "results.json").read_text())["analyses"]
    omnibus = analysis["ranks"]["omnibus"]
    assert omnibus["statistic"] == pytest.approx(39.91275167785235, 1e-13)
    wanted = pc.signed_rank_pairs(pc.example()).table["p_adjusted"]
    found = [row["p_holm"] for row in analysis["over"][0]["pairs"]]
    assert found == pytest.approx(list(wanted), 1e-13)


def test_all_scores_equal_is_said_not_decided(pycompare, wide_file, tmp_path):
    text = "d,a,b,c\nx,1,1,1\ny,1,1,1\nz,1,1,1\n"
    status, stdout, _ = compare_wide(pycompare, wide_file(text), tmp_path / "report")
    assert status == 0
    assert "No outcome of three data sets could be significant" in stdout
    assert "better than" not in stdout
    assert "nan" not in stdout.lower()


def test_two_identical_algorithms_do_not_differ(pycompare, wide_file, tmp_path):
    lines = ["d,a,b,c"] + [f"x{i},{i},{i},{i + 1}" for i in range(12)]
    status, stdout, _ = compare_wide(
        pycompare, wide_file("\n".join(lines)), tmp_path / "report"
    )
    assert status == 0
    assert "c is significantly better than each of the other two (" in stdout
    held = json.loads((tmp_path / "report" / "results.json").read_text())
    rows = held["analyses"][0]["over"][0]["pairs"]
    p = {(row["algorithm_1"], row["algorithm_2"]): row["p_holm"] for row in rows}
    assert p["a", "b"] == 1 and p["a", "c"] < 0.01


def test_missing_cells_modelled_or_dropped(pycompare, wide_file, tmp_path):
    text = "d,a,b,c\n" + "".join(
        f"x{i},{i % 3},{(i + 1) % 3},{'' if i == 4 else 5}\n" for i in range(9)
    )
    path = wide_file(text)
    status, *_ = compare_wide(pycompare, path, tmp_path / "model", "--missing", "model")
    assert status == 0
    page = (tmp_path / "model" / "report.html").read_text()
    assert "x4 / c" in page and "Skillings-Mack" in page
    assert "each pair is compared over the blocks that both have" in page
    status, *_ = compare_wide(
        pycompare, path, tmp_path / "drop", "--missing", "drop-block"
    )
    assert status == 0
    assert "Friedman" in (tmp_path / "drop" / "report.html").read_text()
    assert "x4" in (tmp_path / "drop" / "report.html").read_text()


def test_folds_of_several_data_sets_are_not_taken_as_independent(
    pycompare, wide_file, tmp_path
):
    rng = np.random.default_rng(4)
    rows = ["model,set,fold,acc"]
    for data in range(6):
        for fold in range(4):
            rows += [f"{m},d{data},{fold},{rng.random()}" for m in "abc"]
    args = ["compare", wide_file("\n".join(rows)), "--algorithm", "model"]
    args += ["--dataset", "set", "--block", "fold", "--metric", "acc:higher", "--out"]
    status, _, stderr = pycompare(*args, tmp_path / "one", "--blocks", "datasets")
    assert status == 2
    assert "--blocks folds-of-datasets" in stderr and "--average-folds" in stderr
    words = ("--compares", "wins", "--gate", "omnibus")
    status, stdout, _ = pycompare(*args, tmp_path / "three", *words)
    assert status == 0 and "sign tests of wins" in stdout
    held = json.loads((tmp_path / "three" / "results.json").read_text())
    assert held["plan"]["blocks"] == "folds-of-datasets"
    assert held["analyses"][0]["compares"] == "wins"
    assert held["plan"]["gate"] == "omnibus"
    status, _, _ = pycompare(*args, tmp_path / "two", "--average-folds")
    assert status == 0
    held = json.loads((tmp_path / "two" / "results.json").read_text())
    assert held["analyses"][0]["ranks"]["omnibus"]["n_blocks"] == 6


def test_several_metrics_are_families_of_their_own(pycompare, wide_file, tmp_path):
    rng = np.random.default_rng(5)
    rows = ["model,data,error,auc"]
    for d in range(10):
        rows += [f"{m},{d},{rng.random()},{rng.random()}" for m in "abcd"]
    status, stdout, _ = pycompare(
        *("compare", wide_file("\n".join(rows)), "--algorithm", "model", "--block"),
        *("data", "--metric", "error:lower", "--metric", "auc:higher"),
        *("--out", tmp_path / "out"),
    )
    assert status == 0
    assert "error (lower is better)" in stdout
    assert "auc (higher is better)" in stdout
    tables = {p.name for p in (tmp_path / "out" / "tables").iterdir()}
    names = {f"metric{k}_typical_difference_pairs.csv" for k in (1, 2)}
    assert names <= tables


def test_example_prints_the_shipped_table(pycompare, tmp_path):
    status, text, _ = pycompare("example")
    assert status == 0
    assert text == pc.example_path().read_text()
    path = tmp_path / "example.csv"
    assert pycompare("example", "--out", path)[0] == 0
    assert pycompare("example", "--out", path)[0] == 2  # never overwritten
    assert pycompare("example", "nothing")[0] == 2


def test_an_example_says_how_it_is_compared(pycompare, tmp_path):
    for name in ("folds", "garcia-herrera-2008"):
        path = tmp_path / f"{name}.csv"
        status, text, _ = pycompare("example", name, "--out", path)
        assert status == 0
        command, *args = text.split()
        args[args.index("DIR")] = tmp_path / name
        assert command == "pycompare"
        assert pycompare(*args)[0] == 0


def test_the_example_of_predictions_comes_with_its_plan(pycompare, tmp_path):
    data, plan = tmp_path / "predictions.csv", tmp_path / "plan.toml"
    status, text, _ = pycompare("example", "predictions", "--out", data)
    assert status == 0
    first, then = text.splitlines()
    assert first == "pycompare example predictions-plan --out predictions.toml"
    assert then == f"pycompare compare {data} --plan predictions.toml --out DIR"
    status, text, _ = pycompare("example", "predictions-plan", "--out", plan)
    assert (status, text) == (0, f"pycompare run {plan} --out DIR\n")
    status, text, stderr = pycompare("run", plan, "--out", tmp_path / "one", "--json")
    assert (status, stderr) == (0, "")
    held = json.loads(text)["analyses"]
    assert [found["kind"] for found in held] == ["thresholds"]
    two = ("compare", data, "--plan", plan, "--out", tmp_path / "two", "--json")
    assert json.loads(pycompare(*two)[1])["analyses"] == held


def test_costs_are_planned_by_ratio_or_in_full(pycompare, tmp_path):
    scores = pc.example("predictions").measure(["fp", "fn", "tp"])
    frame = scores.to_frame()
    frame["data"] = [block.split("/")[0] for block in frame["block"]]
    frame.drop(columns="dataset", errors="ignore").to_csv(tmp_path / "s.csv")
    options = (
        *("compare", tmp_path / "s.csv", "--algorithm", "algorithm"),
        *("--block", "block", "--dataset", "data", "--metric", "fp:lower"),
        *("--metric", "fn:lower", "--metric", "tp:higher", "--json"),
        *("--protocol", "held-out"),
    )
    given = {"ratio": ("--cost-ratio", 2), "full": ("--loss", 0, 2, 1, 0)}
    wins = []
    for name, more in given.items():
        status, text, _ = pycompare(*options, *more, "--out", tmp_path / name)
        assert status == 0
        wins.append(json.loads(text)["datasets_together"]["wins"])
    assert wins[0] == wins[1]
    both = (*given["ratio"], *given["full"])
    status, _, stderr = pycompare(*options, *both, "--out", tmp_path / "both")
    assert status == 2 and "--cost-ratio or --loss, not both" in stderr


def test_a_plan_for_predictions_says_so(pycompare, tmp_path):
    data = pc.example_path("predictions")
    status, text, _ = pycompare("plan", data, "--predictions")
    assert status == 0 and 'label = ""  # proposed: "class"' in text
    status, _, stderr = pycompare("plan", data, "--predictions", "--wide")
    assert status == 2 and stderr.endswith("leave --wide out\n")
    plan = tmp_path / "plan.toml"
    shown = pc.example_path("predictions-plan").read_text()
    plan.write_text(shown.replace("thresholds = 21", "thresholds = [0.5]"))
    (tmp_path / "predictions.csv").write_text(data.read_text())
    status, _, stderr = pycompare("run", plan, "--out", tmp_path / "out")
    assert status == 2 and "threshold_rule is for several" in stderr


FOLDS = (
    *("--algorithm", "algorithm", "--dataset", "data", "--block", "fold"),
    *("--metric", "error:lower", "--metric", "auc:higher"),
)


def test_folds_take_the_road_of_means(pycompare, tmp_path):
    out = tmp_path / "report"
    status, text, _ = pycompare(
        *("compare", pc.example_path("folds"), *FOLDS),
        *("--train", 216, "--test", 24, "--out", out),
    )
    assert status == 0
    assert "corrected resampled t tests, Bergmann-Hommel adjustment. Family" in text
    assert "All 4 decisions on QDA change in at least one analysis." in text
    assert "new training and test sets" in text
    held = json.loads((out / "results.json").read_text())
    assert [a["kind"] for a in held["analyses"]] == ["means", "means"]
    expected = pc.anova(pc.example("folds"), metric="auc").p_value
    assert held["analyses"][1]["omnibus"]["p_value"] == expected


def test_folds_are_declared_in_a_wide_table(pycompare, wide_file, tmp_path):
    rng = np.random.default_rng(6)
    lines = ["f,a,b,c"] + [f"{i},{rng.random()},{rng.random()},2" for i in range(8)]
    path = wide_file("\n".join(lines))
    status, text, _ = compare_wide(pycompare, path, tmp_path / "ranks")
    assert (status, "signed rank" in text, "Tukey" in text) == (0, True, False)
    page = (tmp_path / "ranks" / "report.html").read_text()
    assert "--blocks folds" in page
    out = tmp_path / "means"
    status, text, _ = compare_wide(pycompare, path, out, "--blocks", "folds")
    assert status == 0
    assert "Estimates only, no claim: c has the highest mean score" in text
    assert "Tukey" not in text
    assert "set --train and --test" in text and "--protocol" in text
    status, text, _ = compare_wide(
        *(pycompare, path, tmp_path / "cv", "--blocks", "folds"),
        *("--protocol", "cross-validation"),
    )
    assert status == 0 and "folds of a cross-validation of one data set" in text
    assert "corrected resampled t tests" in text


def test_two_algorithms_on_folds_with_a_margin(pycompare, wide_file, tmp_path):
    rng = np.random.default_rng(7)
    lines = ["f,a,b"] + [f"{i},{rng.random()},{rng.random()}" for i in range(10)]
    status, text, _ = compare_wide(
        *(pycompare, wide_file("\n".join(lines)), tmp_path / "out"),
        *(
            "--blocks",
            "folds",
            "--train",
            90,
            "--test",
            10,
            "--margin",
            2,
            "--hypothesis",
            "equivalence",
        ),
    )
    assert status == 0
    assert "Method: Corrected resampled t test of b minus a" in text
    assert "Equivalence of b and a is shown within" in text


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["--blocks", "fold"], "folds"),
        (["--train", "90"], "--train and --test"),
        (["--train", "90", "--test", "10"], "--blocks folds"),
        (["--adjust", "tukey"], "set --compares means"),
        (["--blocks", "folds", "--adjust", "nemenyi"], "choose tukey"),
        (["--blocks", "folds", "--average-folds"], "several data sets"),
        (["--blocks", "folds", "--adjust", "dunnett"], "control"),
        (["--protocol", "resampling"], "--blocks folds"),
        (
            ["--protocol", "held-out", "--train", "9", "--test", "1"],
            "--protocol held-out has one test set",
        ),
        (["--hypothesis", "equivalence"], "--hypothesis equivalence needs a margin"),
        (
            ["--margin", "1", "--hypothesis", "non-inferiority"],
            "--hypothesis non-inferiority: name the control",
        ),
        (["--compares", "means", "--blocks", "folds"], "--blocks folds: leave it out"),
        (["--blocks", "folds", "--omnibus", "quade"], "--omnibus quade is for ranks"),
        (
            ["--alpha", "0.6", "--margin", "1", "--hypothesis", "equivalence"],
            "--alpha 0.6: a margin needs",
        ),
    ],
)
def test_options_that_folds_do_not_have_are_refused(
    args, expected, pycompare, wide_file, tmp_path
):
    status, _, stderr = compare_wide(pycompare, wide_file(GOOD), tmp_path / "o", *args)
    assert status == 2
    assert stderr.count("\n") == 1
    assert expected in stderr


def test_help_and_version(pycompare):
    assert "compare" in pycompare("--help")[1]
    assert pc.__version__ in pycompare("--version")[1]
    status, _, stderr = pycompare("compare")
    assert status == 2
    assert stderr.count("\n") == 1


def test_small_tables_are_decided_by_exact_p_values(pycompare, wide_file, tmp_path):
    text = "d,a,b\n" + "".join(f"x{i},{9 - i},{8 - i}\n" for i in range(4))
    out = tmp_path / "report"
    status, stdout, _ = compare_wide(pycompare, wide_file(text), out)
    assert status == 0
    assert "better than" not in stdout  # 4 of 4 wins: exact p = 0.125
    assert "p = 0.125" in stdout


def test_mean_of_one_data_set_or_with_gaps_is_refused(pycompare, wide_file, tmp_path):
    rows = ["m,set,fold,acc"]
    rows += [
        f"{m},{d},{f},{(f * 7 + i) % 5}"
        for i, m in enumerate("abc")
        for d in "xy"
        for f in range(3)
    ]
    args = ["--algorithm", "m", "--dataset", "set", "--block", "fold"]
    args += ["--metric", "acc:higher", "--average-folds", "--out", tmp_path / "o"]
    one = [rows[0]] + [r for r in rows if ",x," in r]
    status, _, stderr = pycompare("compare", wide_file("\n".join(one)), *args)
    assert status == 2
    assert "at least two data sets" in stderr
    gap = "\n".join(rows[:-1])
    status, _, stderr = pycompare(
        "compare", wide_file(gap), *args, "--missing", "model"
    )
    assert status == 2
    assert "every fold" in stderr


@pytest.mark.parametrize(("alpha", "level"), [("0.001", "99.9%"), ("0.025", "97.5%")])
def test_confidence_levels_are_not_rounded(alpha, level, pycompare, tmp_path):
    out = tmp_path / "report"
    pycompare(
        *("compare", EXAMPLE, "--wide", "--metric", "accuracy:higher"),
        *("--alpha", alpha, "--out", out),
    )
    assert f"{level} CI" in (out / "report.html").read_text()


def test_margins_and_sizes_by_name(pycompare, tmp_path):
    pycompare("example", "folds", "--out", tmp_path / "folds.csv")
    options = (
        *("compare", tmp_path / "folds.csv", "--algorithm", "algorithm"),
        *("--dataset", "data", "--block", "fold", "--metric", "error:lower"),
        *("--metric", "auc:higher", "--protocol", "cross-validation"),
        *("--n-folds", "10"),
    )
    status, text, _ = pycompare(
        *options,
        *(
            "--margin",
            "error=0.02",
            "--margin",
            "auc=0.01",
            "--hypothesis",
            "equivalence",
            "--json",
        ),
        *("--out", tmp_path / "named"),
    )
    assert status == 0
    assert json.loads(text)["plan"]["margin"] == {"error": 0.02, "auc": 0.01}
    for wrong in ("x", "=0.1", "error="):
        status, _, stderr = pycompare(
            *options,
            "--margin",
            wrong,
            "--hypothesis",
            "equivalence",
            "--out",
            tmp_path / "no",
        )
        assert status == 2 and "NAME=NUMBER" in stderr
    status, _, stderr = pycompare(
        *options, "--margin", 1, "--hypothesis", "equivalence", "--out", tmp_path / "no"
    )
    assert status == 2 and "each with its own (--margin NAME=NUMBER)" in stderr


def test_the_algorithms_and_the_range_of_scores_are_printed_first(
    pycompare, tmp_path, wide_file
):
    path = wide_file('data;"a,b";C\nx;95,5;0,5\ny;71;0,25\nz;80%;0,75\nv;90;0,125\n')
    path.write_text(path.read_text().replace("%", ""))
    options = ("--sep", ";", "--decimal", ",", "--percent", "a,b")
    status, text, said = compare_wide(pycompare, path, tmp_path / "o", *options)
    assert (status, said) == (0, "")
    first, second, blank, *_ = text.splitlines()
    assert first == "Algorithms: 'a,b', C"
    assert (second, blank) == ("score: 0.125 to 0.955, higher is better", "")


def test_a_column_of_another_scale_is_questioned_with_the_options_to_write(
    pycompare, tmp_path, wide_file
):
    path = wide_file("data,A,B b,n\nx,0.9,0.8,150\ny,0.7,0.6,90\nz,0.5,0.4,60\n")
    status, _, said = compare_wide(pycompare, path, tmp_path / "o")
    assert status == 2
    options = "(--algorithms NAME, one for each); columns: 'A', 'B b', 'n'"
    assert "'n' is a name of something else" in said and options in said
    named = ("--algorithms", "A", "--algorithms", "B b")
    status, text, _ = compare_wide(pycompare, path, tmp_path / "o", *named)
    assert (status, text.splitlines()[0]) == (0, "Algorithms: A, B b")


def test_a_plan_declares_how_the_file_is_written(pycompare, tmp_path, wide_file):
    path = wide_file("data;A;B;n\nx;0,9;80%;1\ny;0,7;60%;2\nz;0,5;40%;3\n")
    plan = tmp_path / "plan.toml"
    marks = ("--sep", ";", "--decimal", ",")
    status, _, _ = pycompare("plan", path, "--wide", *marks, "--out", plan)
    text = plan.read_text()
    assert status == 0 and 'sep = ";"' in text and 'decimal = ","' in text
    filled = text.replace('score = ""', 'accuracy = "higher"').replace(
        "# algorithms = []", 'algorithms = ["A", "B"]'
    )
    plan.write_text(filled.replace("# percent = []", 'percent = ["B"]'))
    assert pc.read_plan(plan).read_data(path).column()[0].tolist() == [0.9, 0.8]
    plan.write_text(filled.replace("# percent = []", 'percent = ["Q"]'))
    with pytest.raises(pc.PlanError, match=r"percent = .*no column 'Q'|no column 'Q'"):
        pc.read_plan(plan).read_data(path)


def test_every_key_of_a_plan_is_an_option_or_named_as_a_key_of_plan_files(pycompare):
    _, text, _ = pycompare("compare", "--help-all")
    options, only = text.split("Plan file only:")
    named = set(only.split("Example:")[0].replace(",", " ").replace(".", " ").split())
    for key in (keys_of(Plan) | keys_of(Roles)).values():
        shown = key.option.startswith("--") and f"{key.option} " in options
        assert shown != (key.name in named) or key.name in ("file", "metrics"), key
    assert "thresholds" in named and "--sep ';'" in text


def test_all_commands_that_read_tables_take_the_marks_of_a_file(
    pycompare, tmp_path, wide_file
):
    rows = [
        f"{model};{fold};{label};0,{k}{j}{label}"
        for j, model in enumerate("ab")
        for fold in "xyz"
        for k, label in enumerate((0, 1, 0, 1, 1))
    ]
    path = wide_file("m;f;y;p\n" + "\n".join(rows) + "\n")
    marks = ("--sep", ";", "--decimal", ",")
    roles = ("--algorithm=m", "--block=f", "--label=y", "--score=p", "--positive=1")
    for command in (
        ("measure", path, *roles, "--metric=auc", "--out", tmp_path / "s.csv"),
        ("curves", path, *roles, "--out", tmp_path / "curves"),
        ("model", path, "--formula", "p ~ m"),
        ("plan", path, "--predictions"),
    ):
        status, _, said = pycompare(*command, *marks)
        assert (status, said) == (0, ""), command
        status, _, said = pycompare(*command)
        assert status == 2, command


def test_an_unknown_command_suggests_the_nearest(pycompare):
    status, _, stderr = pycompare("comapre", "scores.csv")
    assert status == 2 and "did you mean 'compare'?" in stderr
    assert stderr.count("\n") == 1


FEW_CASES = """case,truth,reader,model,score
1,1,r,A,0.9
2,0,r,A,0.2
3,1,r,A,0.8
4,0,r,A,0.4
1,1,r,B,0.7
2,0,r,B,0.6
3,1,r,B,0.5
4,0,r,B,{last}
"""


@pytest.mark.parametrize(
    ("command", "question"),
    [
        (
            "curves --case case --label truth --positive 1 --algorithm model --score "
            "score",
            "'bad'",
        ),
        (
            "mrmc --case case --truth truth --positive 1 --modality model --reader "
            "reader --rating score",
            "'bad'",
        ),
        ("model --formula score~models", "'models'"),
    ],
)
def test_a_question_about_the_file_comes_before_the_folder(
    command, question, pycompare, tmp_path
):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    file = tmp_path / "cases.csv"
    file.write_text(FEW_CASES.format(last="bad"))
    name, *options = command.split()
    status, _, err = pycompare(name, file, *options, "--out", folder)
    assert status == 2 and question in err and "left unchanged" not in err
    file.write_text(FEW_CASES.format(last="0.3"))
    options = [word.replace("models", "model") for word in options]
    status, _, err = pycompare(name, file, *options, "--out", folder)
    assert status == 2 and "left unchanged" in err
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
