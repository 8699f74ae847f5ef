"""Free-response marks: reading them, and their figures of merit."""

import hashlib
import json
import re
import tomllib

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden

ROLES = {
    "modality": "modality",
    "reader": "reader",
    "case": "case",
    "lesion": "lesion",
    "rating": "rating",
    "n_lesions": "lesions",
}
OUTPUTS = {k: v["value"] for k, v in golden("jafroc")["outputs"].items()}


def tables_of_golden() -> tuple[pd.DataFrame, pd.DataFrame]:
    given = golden("jafroc")["input"]
    marks = pd.DataFrame(given["marks"])
    marks["lesion"] = [f"L{n}" if n else None for n in marks["lesion"]]
    return marks, pd.DataFrame(given["cases"])


def marks_of_golden() -> pc.Ratings:
    marks, cases = tables_of_golden()
    return pc.Ratings.from_marks(marks, cases=cases, **ROLES)


def test_every_site_has_its_rating():
    ratings = marks_of_golden()
    marks, cases = tables_of_golden()
    assert int(ratings.truth.sum()) == cases["lesions"].sum()
    assert len(ratings.clusters) == len(cases)
    lowest = ratings.values.min()
    assert lowest < marks["rating"].min()
    normal = set(cases.loc[cases["lesions"] == 0, "case"])
    on_normal = marks[marks["case"].isin(normal)]
    at = (on_normal["modality"] == 1) & (on_normal["reader"] == 2)
    for case in normal:
        rows = on_normal.loc[at & (on_normal["case"] == case), "rating"]
        k = ratings.cases.index(str(case))
        assert ratings.values[0, 1, k] == (rows.max() if len(rows) else lowest)


def area_by_hand(marks, cases, modality, reader, weighted):
    """Return the AFROC area from the table, pair by pair."""
    own = marks[(marks["modality"] == modality) & (marks["reader"] == reader)]
    normal = [
        max(own.loc[own["case"] == c, "rating"], default=-np.inf)
        for c in cases.loc[cases["lesions"] == 0, "case"]
    ]
    total = weight = 0.0
    for c, n in cases.loc[cases["lesions"] > 0].itertuples(index=False):
        found = own.loc[(own["case"] == c) & own["lesion"].notna(), "rating"].tolist()
        for x in found + [-np.inf] * (n - len(found)):
            w = 1 / n if weighted else 1.0
            total += w * np.mean([(x > y) + 0.5 * (x == y) for y in normal])
            weight += w
    return total / weight


@pytest.mark.parametrize("figure", ["afroc", "wafroc"])
def test_the_area_is_the_share_of_lesions_above_normal_cases(figure):
    marks, cases = tables_of_golden()
    found = pc.mrmc(marks_of_golden(), figure=figure).by_reader
    wanted = [
        area_by_hand(marks, cases, i, j, figure == "wafroc")
        for i, j in zip(
            found["algorithm"].astype(int), found["reader"].astype(int), strict=True
        )
    ]
    assert_digits(found["estimate"], wanted, at_least=13)


@pytest.mark.parametrize(
    ("name", "figure", "method"),
    [
        ("wAFROC_OR", "wafroc", "or"),
        ("wAFROC_DBM", "wafroc", "dbm"),
        ("AFROC_OR", "afroc", "or"),
    ],
)
@pytest.mark.parametrize(
    ("scope", "theirs"),
    [
        ({}, "RRRC"),
        ({"readers": "fixed"}, "FRRC"),
        ({"cases": "fixed"}, "RRFC"),
    ],
)
def test_the_analysis_is_that_of_rjafroc(name, figure, method, scope, theirs):
    ratings, output = marks_of_golden(), OUTPUTS[name]
    found = pc.mrmc(ratings, figure=figure, method=method, error="pooled", **scope)
    order = np.argsort(
        found.by_reader["algorithm"].astype(int) * 10
        + found.by_reader["reader"].astype(int)
    )
    figures = found.by_reader["estimate"].to_numpy()[order]
    assert_digits(figures, output["figures"], at_least=13)
    row, wanted = found.table.iloc[0], output[theirs]["ciDiffTrt"]
    for ours, key in (
        ("estimate", "Estimate"),
        ("std_error", "StdErr"),
        ("p_value", "PrGTt"),
        ("conf_low", "CILower"),
        ("conf_high", "CIUpper"),
    ):
        key = "PrGTz" if key not in wanted else key
        assert_digits(row[ours], wanted[key], at_least=10, what=ours)
    if theirs == "RRRC":
        assert_digits(found.omnibus.df, output["RRRC"]["FTests"]["DF"], at_least=10)
    if method == "or" and theirs == "RRRC":
        parts = found.components.set_index("component")["estimate"]
        names = ["reader", "modality x reader", "Cov1", "Cov2", "Cov3", "error"]
        assert_digits(parts[names], output["parts"], at_least=9)


def test_one_lesion_in_each_case_is_the_area_of_cases():
    rng = np.random.default_rng(3)
    ill = np.arange(30) < 14
    x = rng.normal(size=(2, 3, 30)) + 1.2 * ill
    i, j, k = (axis.ravel() for axis in np.indices(x.shape))
    marks = pd.DataFrame({"m": i, "r": j, "c": k, "x": x.ravel()})
    marks["on"] = np.where(ill[k], "the lesion", None)
    cases = pd.DataFrame({"c": np.arange(30), "n": ill * 1})
    roles = {"modality": "m", "reader": "r", "case": "c", "rating": "x"}
    ratings = pc.Ratings.from_marks(
        marks, cases=cases, lesion="on", n_lesions="n", **roles
    )
    plain = pc.Ratings.from_frame(marks.assign(ill=ill[k]), truth="ill", **roles)
    for figure in ("afroc", "wafroc"):
        one, two = pc.mrmc(ratings, figure=figure), pc.mrmc(plain)
        assert_digits(one.p_value, two.p_value, at_least=10)
        assert_digits(one.table["conf_low"], two.table["conf_low"], at_least=10)


def test_a_monotone_change_of_ratings_changes_no_number():
    marks, cases = tables_of_golden()
    other = marks.assign(rating=np.exp(marks["rating"] / 3))
    one = pc.mrmc(marks_of_golden(), figure="wafroc")
    two = pc.mrmc(pc.Ratings.from_marks(other, cases=cases, **ROLES), figure="wafroc")
    assert two.p_value == one.p_value


def test_files_have_the_same_numbers(tmp_path):
    marks, cases = tables_of_golden()
    marks.to_csv(tmp_path / "marks.csv", index=False)
    cases.to_csv(tmp_path / "cases.csv", index=False)
    case_file = tmp_path / "cases.csv"
    found = pc.read_marks(tmp_path / "marks.csv", case_file=case_file, **ROLES)
    assert found.sha256 == marks_of_golden().sha256
    own_hash = hashlib.sha256(case_file.read_bytes()).hexdigest()
    assert found.notes[-1] == f"cases are those of cases.csv, SHA-256 {own_hash}"
    with pytest.raises(pc.InputError, match=r"cases\.csv: n_lesions: there is no col"):
        pc.read_marks(
            tmp_path / "marks.csv", case_file=case_file, **{**ROLES, "n_lesions": "x"}
        )


def test_a_workbook_of_rjafroc_has_both_tables(tmp_path, pycompare):
    marks, cases = tables_of_golden()
    on = marks["lesion"].notna()
    names = {"modality": "ModalityID", "reader": "ReaderID", "case": "CaseID"}
    normal = marks[~on].rename(columns=names | {"rating": "FP_Rating"})
    diseased = marks[on].rename(
        columns=names | {"rating": "TP_Rating", "lesion": "LesionID"}
    )
    truth = pd.DataFrame(
        [
            (c, lesion)
            for c, n in cases.itertuples(index=False)
            for lesion in (range(1, n + 1) if n else [0])
        ],
        columns=["CaseID", "LesionID"],
    ).assign(Weight=0, ReaderID="1, 2, 3, 4", ModalityID="1, 2", Paradigm="FROC")
    path = tmp_path / "froc.xlsx"
    with pd.ExcelWriter(path) as writer:
        truth.to_excel(writer, sheet_name="TRUTH", index=False)
        normal.drop(columns="lesion").to_excel(writer, sheet_name="FP", index=False)
        diseased.to_excel(writer, sheet_name="TP", index=False)
    found = pc.mrmc(pc.read_marks(path), figure="wafroc")
    assert_digits(
        found.p_value, pc.mrmc(marks_of_golden(), figure="wafroc").p_value, at_least=12
    )
    with pytest.raises(pc.InputError, match=r"pc\.read_marks \(--marks, or marks = tr"):
        pc.read_ratings(path)
    options = ("--marks", "--figure", "wafroc", "--json")
    status, shown, said = pycompare("mrmc", path, *options)
    assert status == 0, said
    assert json.loads(shown) == json.loads(json.dumps(found.to_dict()))
    text = pc.starter_plan(path, readers=True, folder=tmp_path)
    held = tomllib.loads(text)
    assert held["readers"] == {"marks": True, "figure": ""}
    (tmp_path / "plan.toml").write_text(
        text.replace('figure = ""', 'figure = "wafroc"')
    )
    planned = pc.run_plan(tmp_path / "plan.toml").result
    assert planned.p_value == found.p_value


@pytest.fixture
def files(tmp_path):
    """Write the stored marks and cases, under names of columns of their own."""
    marks, cases = tables_of_golden()
    names = {"modality": "test", "case": "patient", "rating": "sure"}
    marks.rename(columns=names).to_csv(tmp_path / "marks.csv", index=False)
    cases.rename(columns=names).to_csv(tmp_path / "cases.csv", index=False)
    return tmp_path


OPTIONS = (
    *("--marks", "--modality", "test", "--reader", "reader", "--case", "patient"),
    *("--rating", "sure", "--lesion", "lesion", "--n-lesions", "lesions"),
)
PLAN = """
[data]
file = "data/marks.csv"
[readers]
marks = true
modality = "test"
reader = "reader"
case = "patient"
rating = "sure"
lesion = "lesion"
case_file = "data/cases.csv"
n_lesions = "lesions"
figure = "wafroc"
[plan]
"""


def test_the_command_compares_a_file_of_marks(files, pycompare):
    own = ("--case-file", files / "cases.csv", "--figure", "wafroc", "--json")
    status, shown, said = pycompare("mrmc", files / "marks.csv", *OPTIONS, *own)
    assert status == 0, said
    wanted = pc.mrmc(marks_of_golden(), figure="wafroc")
    assert (
        json.loads(shown)["table"] == json.loads(json.dumps(wanted.to_dict()))["table"]
    )
    alone = ("--only", "2", "--case-file", files / "cases.csv", "--figure", "afroc")
    _, shown, _ = pycompare("mrmc", files / "marks.csv", *OPTIONS, *alone)
    one = pc.single_modality(marks_of_golden(), modality="2", figure="afroc")
    assert f"{one.estimate:.4f}"[:6] in shown


@pytest.mark.usefixtures("blank_pictures")
def test_a_plan_of_marks_reads_both_files_beside_it(files, tmp_path):
    (files / "data").mkdir()
    for name in ("marks.csv", "cases.csv"):
        (files / name).rename(files / "data" / name)
    (files / "plan.toml").write_text(PLAN)
    found = pc.run_plan(files / "plan.toml")
    wanted = pc.mrmc(marks_of_golden(), figure="wafroc")
    assert found.result.p_value == wanted.p_value
    folder = pc.report(found, tmp_path / "out")
    content = (files / "data" / "cases.csv").read_bytes()
    told = (
        f"Cases are those of cases.csv, SHA-256 {hashlib.sha256(content).hexdigest()}"
    )
    assert told in (folder / "report.html").read_text()
    assert pc.verify(folder, recompute=True).passed
    (files / "plan.toml").write_text(PLAN + "blind = true\n")
    blinded = pc.run_plan(files / "plan.toml")
    assert "cases.csv" not in blinded.plan_file.text
    assert "Algorithm" in blinded.result.algorithms[0]
    (files / "plan.toml").write_text(PLAN.replace("wafroc", "auc"))
    with pytest.raises(pc.PlanError, match=r"marks = true.* and figure = \"auc\""):
        pc.run_plan(files / "plan.toml")


def test_a_starter_plan_of_marks_asks_for_their_keys_alone(files, pycompare):
    words = ("--readers", "--marks", "--out", files / "plan.toml")
    status, _, said = pycompare("plan", files / "marks.csv", *words)
    assert status == 0, said
    text = (files / "plan.toml").read_text()
    assert 'lesion = ""  # proposed: "lesion"' in text
    wanted = tomllib.loads(PLAN.replace("data/", ""))
    left_open = {key for key in wanted["readers"] if key != "marks"}
    held = tomllib.loads(text)["readers"]
    assert held == {"marks": True, **dict.fromkeys(left_open, "")}
    for name in ("truth", "positive", "cluster", "design", "threshold", "mixed"):
        assert not re.search(rf"(?m)^(# )?{name} =", text), name
    for key, value in wanted["readers"].items():
        text = re.sub(rf'(?m)^{key} = "".*$', f"{key} = {json.dumps(value)}", text)
    (files / "plan.toml").write_text(text)
    found = pc.run_plan(files / "plan.toml").result
    assert found.p_value == pc.mrmc(marks_of_golden(), figure="wafroc").p_value


def test_a_starter_plan_of_ratings_has_no_key_of_marks(files):
    text = pc.starter_plan(files / "marks.csv", readers=True)
    for name in ("marks", "lesion", "case_file", "n_lesions"):
        assert not re.search(rf"(?m)^(# )?{name} =", text), name
    held = tomllib.loads(text)["readers"]
    needed = ("modality", "reader", "case", "rating", "truth", "positive")
    assert held == dict.fromkeys(needed, "")
    with pytest.raises(pc.InputError, match="marks=True needs readers=True"):
        pc.starter_plan(files / "marks.csv", marks=True)


@pytest.mark.usefixtures("blank_pictures")
def test_the_file_of_cases_is_part_of_the_trail(files, pycompare):
    plan, cases = files / "plan.toml", files / "cases.csv"
    plan.write_text(PLAN.replace("data/", ""))
    trail = files / "plan.toml.trail.jsonl"
    assert pycompare("plan", plan, "--seal", "--by", "Ann")[0] == 0
    content = cases.read_bytes()
    [sealed] = pc.read_trail(trail).entries
    assert sealed.files == {"case_file": hashlib.sha256(content).hexdigest()}
    first, second = files / "first", files / "second"
    assert pycompare("run", plan, "--out", first)[0] == 0
    assert pc.verify(first, trail=trail, recompute=True).passed
    rows = content.decode().splitlines()
    cases.write_text("\n".join([rows[0], *rows[:0:-1]]) + "\n")
    problems = [str(problem) for problem in pc.verify(first, trail=trail).problems]
    assert len(problems) == 1
    assert problems[0].startswith("cases.csv was changed: after entry 2 of the trail")
    assert pycompare("run", plan, "--out", second)[0] == 0
    held = json.loads((second / "manifest.json").read_text())
    [deviation] = held["deviations"]
    assert deviation["done"] == "another case_file was analysed"
    assert pycompare("verify", trail)[0] == 0  # the last entry has the file as it is


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (OPTIONS[:1], "--marks and --figure auc: marks have the figures"),
        (("--figure", "afroc"), "--figure afroc is of free-response marks: give --ma"),
        (OPTIONS[9:11], "--lesion is of marks: give --marks"),
        (("--case-file", "x.csv"), "--case-file is of marks: give --marks"),
        (
            (*OPTIONS, "--figure", "wafroc", "--truth", "lesion"),
            "--truth is of ratings of cases, and --marks has the lesions",
        ),
        (
            (*OPTIONS, "--figure", "wafroc", "--design", "incomplete"),
            "--design is of ratings of cases",
        ),
        (
            (*OPTIONS, "--figure", "wafroc", "--threshold", "2"),
            "--threshold is of ratings of cases",
        ),
        ((*OPTIONS, "--figure", "wafroc"), "--case-file FILE: give the file of cases"),
        (
            (*OPTIONS, "--figure", "wafroc", "--case-file", "none.csv"),
            "none.csv: cannot read the file",
        ),
    ],
)
def test_options_of_marks_that_do_not_fit_are_named(words, says, files, pycompare):
    status, _, said = pycompare("mrmc", files / "marks.csv", *words)
    assert status == 2 and said.count("\n") == 1
    assert says in said


def test_a_page_of_marks_can_be_computed_again(tmp_path):
    found = pc.mrmc(marks_of_golden(), figure="wafroc")
    assert found.ratings.counts.endswith("59 sites (41 lesions) in 40 cases")
    folder = pc.report(found, tmp_path / "report")
    text = (tmp_path / "report" / "report.html").read_text(encoding="utf-8")
    assert "weighted AFROC area" in text
    assert "59 sites (41 lesions) in 40 cases" in text
    assert pc.verify(folder, recompute=True).passed


MARK = {"modality": 1, "reader": "a", "lesion": None, "rating": 1.0}


@pytest.mark.parametrize(
    ("marks", "cases", "message"),
    [
        ([{"case": 9}], [(1, 0), (2, 1)], "1 case with marks has no row"),
        ([{"case": 1, "lesion": "x"}], [(1, 0), (2, 1)], "which has 0 lesions"),
        (
            [{"case": 2, "lesion": "x"}, {"case": 2, "lesion": "y"}],
            [(1, 0), (2, 1)],
            r"which has 1 lesion in the table of cases \(marked: 'x', 'y'\)",
        ),
        (
            [{"case": 2, "lesion": "x"}, {"case": 2, "lesion": "x"}],
            [(1, 0), (2, 1)],
            "on the same lesion with one modality",
        ),
        ([{"case": 1}], [(1, 0), (1, 1)], "1 case has several rows, first: '1'"),
        ([{"case": 1}], [(1, 0), (2, 1.5)], "has 1.5; give the number of lesions"),
        ([{"case": 1}], [(1, 0), (2, 0)], "no case has a lesion"),
        ([{"case": 1}], [(1, 2), (2, 1)], "no case is normal"),
        ([{"case": 1, "rating": None}], [(1, 0), (2, 1)], "1 mark has no rating"),
        (
            [{"case": 1}, {"case": 1, "reader": "b", "modality": 2}],
            [(1, 0), (2, 1)],
            "reader='b' has no mark with modality='1'",
        ),
    ],
)
def test_tables_that_do_not_fit_are_rejected(marks, cases, message):
    rows = pd.DataFrame([{**MARK, **one} for one in marks])
    of_cases = pd.DataFrame(cases, columns=["case", "lesions"])
    with pytest.raises((pc.InputError, pc.DesignError), match=message):
        pc.Ratings.from_marks(rows, cases=of_cases, **ROLES)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: pc.mrmc(r), "these are free-response marks; choose 'wafroc'"),
        (lambda r: pc.mrmc(r, figure="wafroc", better="lower"), "better='lower'"),
        (lambda r: pc.mrmc(r, figure="wafroc", covariance="delong"), "not available"),
        (lambda r: pc.glmm(r, outcome="sensitivity", threshold=1.0), "choose mrmc"),
        (lambda r: pc.plotting.reader_curves(r), "no ROC curves"),
        (lambda r: pc.sizes.Mrmc.from_ratings(r, n_cases=50), "free-response marks"),
    ],
)
def test_what_marks_do_not_have_is_named(call, message):
    with pytest.raises(pc.InputError, match=message):
        call(marks_of_golden())


def test_ratings_of_cases_have_no_figure_of_marks():
    from tests.methods.multireader.readers import simulated

    with pytest.raises(pc.InputError, match=r"read marks by pc\.read_marks"):
        pc.mrmc(simulated(), figure="wafroc")
