"""``pycompare mrmc`` and ratings from files."""

import csv
import json

import pytest
from click.testing import CliRunner

import pycompare as pc
from pycompare.apps.cli.app import cli
from pycompare.base.errors import PyCompareError

pytestmark = pytest.mark.usefixtures("blank_pictures")

MODEL = pc.RoeMetz(
    separation=(1.2, 1.6),
    reader=0.006,
    modality_reader=0.006,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
COLUMNS = {"modality": "test", "reader": "r", "case": "c", "rating": "x", "truth": "t"}
OPTIONS = [word for key, name in COLUMNS.items() for word in (f"--{key}", name)]
RATINGS = MODEL.draw(n_readers=3, n_positive=12, n_negative=14, seed=2)


@pytest.fixture
def path(tmp_path):
    where = tmp_path / "ratings.csv"
    write(where, ",")
    return where


def write(where, sep, cell=None):
    with where.open("w", newline="") as stream:
        rows = csv.writer(stream, delimiter=sep)
        rows.writerow(COLUMNS.values())
        for i, modality in enumerate(RATINGS.modalities):
            for j, reader in enumerate(RATINGS.readers):
                for k, case in enumerate(RATINGS.cases):
                    x = cell if cell and (i, j, k) == (1, 2, 3) else None
                    x = x or repr(float(RATINGS.values[i, j, k]))
                    rows.writerow([modality, reader, case, x, int(RATINGS.truth[k])])


def called(path, *words):
    return CliRunner().invoke(cli, ["mrmc", str(path), *OPTIONS, *words])


def test_a_file_has_the_ratings_that_were_written(path):
    read = pc.read_ratings(path, **COLUMNS)
    assert (read.values == RATINGS.values).all()
    assert (read.truth == RATINGS.truth).all()
    assert read.readers == RATINGS.readers


def test_the_command_prints_the_analysis_its_scope_and_the_figures(path):
    shown = called(path, "--margin", "0.05", "--hypothesis", "equivalence").output
    assert pc.mrmc(RATINGS, margin=0.05, hypothesis="equivalence").summary() in shown
    for part in ("new readers and new cases", "Figures of merit", "Claims", "Cov3"):
        assert part in shown


def test_json_and_r_code_are_those_of_the_result(path):
    found = pc.mrmc(RATINGS, method="dbm", df="1992")
    words = ("--method", "dbm", "--df", "1992")
    assert json.loads(called(path, *words, "--json").output) == found.to_dict()
    assert called(path, *words, "--r").output.strip() == found.r_code().strip()
    refused = called(path, "--json", "--r")
    assert isinstance(refused.exception, pc.InputError)
    assert "--r and --json" in str(refused.exception)


def test_semicolons_are_read_when_declared(tmp_path):
    where = tmp_path / "x.csv"
    write(where, ";")
    read = pc.read_ratings(where, **COLUMNS, sep=";")
    assert (read.values == RATINGS.values).all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cluster", "nope"], r"no column 'nope'"),
        (
            ["--adjust", "shaffer", "--margin", "0.1", "--hypothesis", "equivalence"],
            "choose 'holm'",
        ),
        (["--figure", "sensitivity"], "threshold"),
        (["--margin", "-1"], "margin"),
        (["--readers", "fixed", "--cases", "fixed"], "fixed"),
    ],
)
def test_bad_input_is_refused_by_name(path, words, message):
    done = called(path, *words)
    assert isinstance(done.exception, PyCompareError)
    assert message.replace("\\", "") in str(done.exception)


@pytest.mark.parametrize("cell", ["nan", "inf", "<script>", "__import__('os')"])
def test_a_rating_that_is_no_number_is_named_with_its_row(tmp_path, cell):
    where = tmp_path / "ratings.csv"
    write(where, ",", cell)
    with pytest.raises(pc.InputError, match=r"ratings.csv.*x"):
        pc.read_ratings(where, **COLUMNS)


def test_the_command_writes_a_report_and_prints_the_conclusion(path, tmp_path):
    out = tmp_path / "report"
    shown = called(path, "--out", str(out))
    assert shown.exit_code == 0
    assert "Scope of conclusions: new readers and new cases." in shown.output
    held = json.loads((out / "results.json").read_text())
    assert held["provenance"]["file"] == "ratings.csv"
    assert held["provenance"]["command"].startswith("pycompare ")
    again = called(path, "--out", str(out))
    assert "earlier report" in str(again.exception)
    assert called(path, "--out", str(out), "--overwrite").exit_code == 0
    assert "name its folder" in str(called(path, "--overwrite").exception)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--method dbm --covariance delong", "--covariance delong is for --method or"),
        ("--seed 1", "--seed and --resamples belong to --covariance bootstrap"),
        ("--covariance bootstrap --seed -1", "--seed -1: give a whole number, 0 or"),
        ("--figure sensitivity", "--figure sensitivity needs --threshold"),
        ("--level 95", "--level 95: give a confidence level"),
        ("--df 1992", "--df 1992 is for --method dbm"),
        ("--positive maybe", "--positive: no case has the label 'maybe'"),
    ],
)
def test_bad_options_are_spelled_as_they_were_typed(words, says, path, pycompare):
    status, _, stderr = pycompare("mrmc", path, *OPTIONS, *words.split())
    assert status == 2 and stderr.count("\n") == 1
    assert says in stderr


def test_the_mixed_model_is_printed_below_the_comparison(path):
    words = ("--mixed", "accuracy", "--threshold", "1", "--link", "probit")
    shown = called(path, *words, "--reader-effects", "--control", "M1").output
    model = pc.glmm(
        RATINGS,
        outcome="accuracy",
        threshold=1.0,
        link="probit",
        random=("case", "reader", "modality x reader"),
        control="M1",
    )
    assert "with the control M1" in shown
    assert model.table.to_string(index=False) in shown
    assert model.random.to_string(index=False) in shown
    held = json.loads(called(path, *words, "--json").output)
    assert held["statistic_name"] == "t" and held["mixed"]["link"] == "probit"
    assert "glmm_reference" in called(path, *words, "--r").output


def test_one_modality_is_estimated_alone(path, tmp_path):
    found = pc.single_modality(RATINGS, modality="M2", null=0.5, readers="fixed")
    words = ("--only", "M2", "--null", "0.5", "--readers", "fixed")
    assert found.summary() in called(path, *words).output
    assert json.loads(called(path, *words, "--json").output) == found.to_dict()
    shown = called(path, *words, "--out", str(tmp_path / "out")).output
    assert "Mean AUC of M2" in shown and "significantly from 0.5" in shown
    assert "Scope of conclusions: these readers and new cases." in shown


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--only M1 --margin 0.1", "--margin is for comparisons, and --only M1 names"),
        ("--only M1 --mixed mean", "--mixed is for comparisons"),
        ("--only M9", "there is no 'M9'"),
        ("--only M1 --covariance bootstrap", "--covariance bootstrap is for compar"),
        ("--null 0.5", "--null tests the mean of one modality: name it, --only NAME"),
        ("--link probit", "--link is for --mixed"),
        ("--reader-effects", "--reader-effects is for --mixed"),
        ("--mixed accuracy", "--mixed accuracy needs --threshold"),
        ("--mixed mean", "--mixed mean needs ratings of 0 and 1"),
        ("--control M9", "control 'M9' is not a modality"),
        ("--control M1 --adjust shaffer", "choose 'holm'"),
    ],
)
def test_options_of_other_analyses_are_refused(words, says, path, pycompare):
    status, _, stderr = pycompare("mrmc", path, *OPTIONS, *words.split())
    assert status == 2 and stderr.count("\n") == 1
    assert says in stderr
