"""The trail of a sealed plan: it grows, is told of, and shows what was done to it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil

import pytest

import pycompare as pc
from pycompare.base.environment import GIVEN_DATE
from pycompare.base.errors import InputError
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.trail import (
    Entry,
    changes,
    read_trail,
    seal_path,
    secret_path,
    trail_path,
)

pytestmark = pytest.mark.usefixtures("blank_pictures")

PLAN = """\
[data]
file = "scores.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""
MODEL = '[data]\nfile = "runs.csv"\n[model]\nformula = "error ~ learner"\n'
SEALED = "2023-11-14T22:13:20+00:00"
BY = ("--by", "Ann Lee", "--role", "statistician", "--meaning", "author")


@pytest.fixture
def plan(tmp_path, monkeypatch):
    return new_plan(tmp_path, monkeypatch)


def new_plan(folder, monkeypatch):
    text = pc.example_path().read_text().splitlines(keepends=True)
    (folder / "scores.csv").write_text("".join(text[:8]))
    path = folder / "plan.toml"
    path.write_text(PLAN)
    monkeypatch.setenv(GIVEN_DATE, "1700000000")
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A plan that was sealed twice, amended and run twice, with both reports."""
    from tests.command_line import command as run

    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        path = new_plan(folder, patch)
        patch.delenv(GIVEN_DATE)
        run("plan", path, "--seal", *BY)
        run("plan", path, "--seal", "--by", "Bo", "--meaning", "approval")
        run("run", path, "--out", folder / "first")
        path.write_text(PLAN + "alpha = 0.01\n")
        why = ("--reason", "alpha of the protocol")
        run("plan", path, "--amend", "--by", "Ann Lee", *why)
        run("run", path, "--out", folder / "second")
    return folder


def test_a_report_of_a_sealed_plan_says_when_and_by_whom(plan, tmp_path, pycompare):
    status, text, problem = pycompare("plan", plan, "--seal", *BY)
    assert status == 0, problem
    read = pc.read_plan(plan)
    [entry] = read.trail
    assert read.sha256 in text and entry.sha256 in text
    assert entry.date == SEALED and entry.clock > "2026" and entry.previous is None
    data = (tmp_path / "scores.csv").read_bytes()
    assert entry.data == hashlib.sha256(data).hexdigest()
    assert entry.keys["plan.blocks"] == '"datasets"' and entry.role == "statistician"
    out = tmp_path / "out"
    assert pycompare("run", plan, "--out", out, "--format", "md")[0] == 0
    held = json.loads((out / "manifest.json").read_text())
    trail = held["plan"]["file"]["trail"]
    assert [one["event"] for one in trail] == ["sealed", "run"]
    assert trail[1]["previous"] == entry.sha256 and trail[1]["data"] == entry.data
    page = (out / "report.md").read_text()
    assert f"{SEALED}, by Ann Lee" in page and "Trail of the plan file" in page
    assert not held["deviations"]
    assert pc.verify(out, recompute=True, trail=trail_path(plan)).passed


def test_a_plan_without_seal_says_nothing(plan, tmp_path, pycompare):
    assert pc.read_plan(plan).trail == ()
    out = tmp_path / "out"
    assert pycompare("run", plan, "--out", out)[0] == 0
    assert "Plan sealed" not in (out / "report.html").read_text()
    assert not trail_path(plan).exists()


def test_every_command_adds_its_entry(kept):
    trail = read_trail(trail_path(kept / "plan.toml"))
    events = ["sealed", "sealed", "run", "amended", "run"]
    assert [one.event for one in trail.entries] == events and not trail.problems
    assert changes(trail.entries) == [(4, "plan.alpha", None, "0.01")]
    page = (kept / "second" / "report.html").read_text()
    assert "Entry 4 changed plan.alpha from not given to 0.01." in page
    assert "alpha of the protocol" in page and trail.head in page


def test_a_plan_that_was_changed_after_its_seal_is_refused(plan, pycompare):
    pycompare("plan", plan, "--seal", *BY)
    plan.write_text(PLAN + "alpha = 0.1\n")
    with pytest.raises(InputError, match=f"after it was sealed .{SEALED[:10]}"):
        pc.read_plan(plan)
    status, _, problem = pycompare("run", plan, "--out", plan.parent / "out")
    assert status == 2 and "--amend --by NAME --reason WHY" in problem
    status, _, problem = pycompare("plan", plan, "--seal", "--by", "Bo")
    assert status == 2 and "--amend" in problem
    reason = ("--reason", "the protocol says 0.1")
    status, _, problem = pycompare("plan", plan, "--amend", "--by", "Bo", *reason)
    assert status == 0, problem
    assert pc.read_plan(plan).plan.alpha == 0.1


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--seal",), "--by is missing"),
        (("--seal", "--by", " "), "one line of text"),
        (("--seal", "--by", "a\nb"), "one line of text"),
        (("--seal", "--by", "x" * 501), "up to 500 characters"),
        (("--seal", "--by", "Ann", "--reason", "y"), "of an amendment"),
        (("--amend", "--by", "Ann"), "needs a reason"),
        (("--amend", "--by", "Ann", "--reason", "y"), "was never sealed"),
        (("--seal", "--amend", "--by", "Ann"), "no other option"),
        (("--seal", "--by", "Ann", "--wide"), "no other option"),
        (("--by", "Ann"), "set --seal or --amend"),
    ],
)
def test_a_seal_that_lacks_something_is_refused(plan, pycompare, words, refusal):
    status, _, problem = pycompare("plan", plan, *words)
    assert status == 2 and refusal in problem
    assert not trail_path(plan).exists()


def test_the_same_seal_is_written_once_and_an_amendment_has_a_change(plan, pycompare):
    plan.write_text(PLAN + "alpha = 7\n")
    assert pycompare("plan", plan, "--seal", *BY)[0] == 2
    plan.write_text(PLAN)
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0
    status, _, problem = pycompare("plan", plan, "--seal", *BY)
    assert status == 2 and "was sealed by Ann Lee already" in problem
    why = ("--reason", "none")
    status, _, problem = pycompare("plan", plan, "--amend", "--by", "Bo", *why)
    assert status == 2 and "was not changed since its seal" in problem
    assert len(read_trail(trail_path(plan)).entries) == 1


def test_other_data_than_at_the_seal_are_a_deviation(plan, tmp_path, pycompare):
    pycompare("plan", plan, "--seal", *BY)
    data = tmp_path / "scores.csv"
    data.write_text("\n".join(data.read_text().splitlines()[:7]) + "\n")
    out = tmp_path / "out"
    style = ("--style", "statistical-report")
    assert pycompare("run", plan, "--out", out, *style)[0] == 0
    [deviation] = json.loads((out / "manifest.json").read_text())["deviations"]
    assert deviation["done"] == "another data file was analysed"
    page = (out / "report.html").read_text()
    assert "another data file was analysed" in page
    assert "Amendments and deviations" in page


def test_files_that_were_changed_beside_a_trail_are_named(plan, tmp_path, pycompare):
    pycompare("plan", plan, "--seal", *BY)
    out, path = tmp_path / "out", trail_path(plan)
    assert pycompare("run", plan, "--out", out)[0] == 0
    data = tmp_path / "scores.csv"
    kept = data.read_text()
    data.write_text("\n".join(kept.splitlines()[:7]) + "\n")
    status, text, _ = pycompare("verify", path)
    since = f"after entry 2 of the trail (run, {SEALED})"
    assert status == 1 and f"scores.csv was changed {since}" in text
    status, text, _ = pycompare("verify", path, "--json")
    assert json.loads(text)["changed"] == [{"file": "scores.csv", "since": since}]
    problems = pc.verify(out, trail=path).problems
    assert list(map(str, problems)) == [f"scores.csv was changed: {since}"]
    data.unlink()  # what is not there is not checked
    assert pycompare("verify", path)[0] == 0
    data.write_text(kept)
    plan.write_text(PLAN + "alpha = 0.01\n")
    status, text, _ = pycompare("verify", path)
    assert status == 1 and "plan.toml was changed after entry 1 of the trail" in text
    plan.write_text("none")
    assert pycompare("verify", path)[0] == 1
    plan.unlink()
    assert pycompare("verify", path)[0] == 0


FOLDER = """\
[data]
file = "runs"
algorithm = "path"
block = "dataset"
[metrics]
accuracy = "higher"
[plan]
blocks = "datasets"
"""


def test_a_folder_of_data_has_a_hash_in_the_trail(tmp_path, pycompare):
    (tmp_path / "runs").mkdir()
    for at, name in enumerate(("svm", "knn")):
        rows = [f"d{i},{0.5 + (i * (7 + at)) % 5 / 20}" for i in range(8)]
        text = "dataset,accuracy\n" + "\n".join(rows) + "\n"
        (tmp_path / "runs" / f"{name}.csv").write_text(text)
    plan = tmp_path / "plan.toml"
    plan.write_text(FOLDER)
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted((tmp_path / "runs").iterdir())
    ]
    [sealed] = read_trail(trail_path(plan)).entries
    assert sealed.data == hashlib.sha256("".join(lines).encode()).hexdigest()
    status, _, problem = pycompare("run", plan, "--out", tmp_path / "out")
    assert status == 0, problem
    assert not json.loads((tmp_path / "out" / "manifest.json").read_text())[
        "deviations"
    ]
    svm = tmp_path / "runs" / "svm.csv"
    svm.write_text(svm.read_text() + "d9,0.5\n")
    status, text, _ = pycompare("verify", trail_path(plan))
    assert status == 1 and "runs was changed after entry 2" in text


def test_a_line_of_an_earlier_version_stays_whole(plan, pycompare):
    pycompare("plan", plan, "--seal", *BY)
    assert '"files"' not in trail_path(plan).read_text()


GATE = """\
[data]
file = "answers.csv"
algorithm = "model"
block = "item"
[metrics]
accuracy = "higher"
[plan]
blocks = "cases"
hypothesis = "non-inferiority"
control = "old"
margin = 0.2
[release]
candidate = "new"
"""


def test_a_gate_on_other_data_than_at_the_seal_deviates(tmp_path, pycompare):
    rows = [
        f"{m},{i},{int((i + at) % 5 > 0)}"
        for at, m in enumerate(("old", "new"))
        for i in range(200)
    ]
    data, plan = tmp_path / "answers.csv", tmp_path / "plan.toml"
    data.write_text("model,item,accuracy\n" + "\n".join(rows) + "\n")
    plan.write_text(GATE)
    status, _, problem = pycompare("plan", plan, "--seal", *BY)
    assert status == 0, problem
    data.write_text(data.read_text() + "old,200,1\nnew,200,1\n")
    status, _, problem = pycompare("run", plan, "--out", tmp_path / "out")
    assert status == 0, problem
    held = json.loads((tmp_path / "out" / "manifest.json").read_text())
    [deviation] = held["deviations"]
    assert deviation["done"] == "another data file was analysed"


def test_a_plan_of_a_linear_model_has_a_trail_too(tmp_path, pycompare):
    path = tmp_path / "model.toml"
    path.write_text(MODEL)
    rows = [f"{a},{e}" for a, e in zip("AABBCC" * 2, range(12), strict=True)]
    (tmp_path / "runs.csv").write_text("learner,error\n" + "\n".join(rows) + "\n")
    assert pycompare("plan", path, "--seal", *BY)[0] == 0
    status, _, problem = pycompare("run", path, "--out", tmp_path / "out")
    assert status == 0, problem
    assert [one.event for one in read_analysis_plan(path).trail] == ["sealed", "run"]
    assert "Trail of the plan file" in (tmp_path / "out" / "report.html").read_text()
    assert pc.verify(tmp_path / "out", recompute=True).passed
    path.write_text(MODEL + "type = 3\n")
    with pytest.raises(InputError, match="was changed"):
        read_analysis_plan(path)


# ---- what an earlier version wrote ---------------------------------------------------


def test_an_earlier_seal_becomes_the_first_entry(plan, tmp_path, pycompare):
    sha256 = hashlib.sha256(plan.read_bytes()).hexdigest()
    held = {"made_by": "pycompare seal", "sha256": sha256, "sealed": SEALED}
    seal_path(plan).write_text(json.dumps(held))
    [entry] = pc.read_plan(plan).trail
    assert entry.when == SEALED and entry.by is None
    assert pycompare("run", plan, "--out", tmp_path / "out")[0] == 0
    trail = read_trail(trail_path(plan))
    assert [one.event for one in trail.entries] == ["sealed", "run"]
    assert not trail.problems and trail.entries[0] == entry
    seal_path(plan).write_text(json.dumps(held | {"sha256": "0" * 64}))
    with pytest.raises(InputError, match="does not begin with the seal"):
        pc.read_plan(plan)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"sha256": 1}'])
def test_a_seal_that_is_none_is_refused(plan, text):
    seal_path(plan).write_text(text)
    with pytest.raises(InputError, match="is not a seal"):
        pc.read_plan(plan)


# ---- blinded plans -------------------------------------------------------------------


def test_the_trail_of_a_blinded_plan_tells_no_names(plan, tmp_path, pycompare):
    plan.write_text(PLAN + 'blind = true\ncontrol = "CN2"\n')
    plain = hashlib.sha256(plan.read_bytes()).hexdigest()
    data = hashlib.sha256((tmp_path / "scores.csv").read_bytes()).hexdigest()
    status, text, problem = pycompare("plan", plan, "--seal", *BY)
    assert status == 0 and str(secret_path(plan)) in text, problem
    blinded, named = tmp_path / "blinded", tmp_path / "named"
    assert pycompare("run", plan, "--out", blinded)[0] == 0
    told = trail_path(plan).read_text()
    told += "".join(f.read_text() for f in blinded.rglob("*.*") if f.is_file())
    for hidden in (plain, data, "CN2", "C4.5"):
        assert hidden not in told
    status, _, problem = pycompare("unblind", blinded, "--out", named)
    assert status == 2 and "--plan PLAN --by NAME" in problem
    assert not named.exists()
    options = ("--plan", plan, "--by", "Bo")
    status, _, problem = pycompare("unblind", blinded, "--out", named, *options)
    assert status == 0, problem
    entries = read_trail(trail_path(plan)).entries
    told = [(one.event, one.names) for one in entries]
    assert told == [("sealed", "hidden"), ("run", "hidden"), ("unblinded", "known")]
    assert pc.verify(named, recompute=True, trail=trail_path(plan)).passed
    assert pc.verify(blinded, trail=trail_path(plan)).passed


def test_reasons_that_name_an_algorithm_are_refused_before_codes(plan, pycompare):
    plan.write_text(PLAN + "blind = true\n")
    why = ("--role", "who wants CN2 to win")
    assert pycompare("plan", plan, "--seal", "--by", "Ann", *why)[0] == 0
    status, _, problem = pycompare("run", plan, "--out", plan.parent / "out")
    assert status == 2 and "the plan contain the name" in problem


def test_unblinding_needs_no_plan_where_none_was_sealed(tmp_path):
    given = pc.Plan(blocks="datasets", blind=True)
    folder = pc.report(pc.compare(pc.example(), given), tmp_path / "blinded")
    with pytest.raises(InputError, match="was not sealed"):
        pc.unblind(folder, tmp_path / "named", by="Ann")
    assert pc.unblind(folder, tmp_path / "named").is_dir()


# ---- manipulations -------------------------------------------------------------------


def edited(at, **changed):
    """Change an entry and leave the others: the hash of its line is another one."""

    def change(entries: list[Entry]) -> list[Entry]:
        found = list(entries)
        found[at] = dataclasses.replace(found[at], **changed)
        return found

    return change


def rebuilt(change):
    """Make the chain again after a change, as a forger would."""

    def made(entries: list[Entry]) -> list[Entry]:
        found: list[Entry] = []
        for one in change(entries):
            last = found[-1].sha256 if found else None
            found.append(dataclasses.replace(one, previous=last))
        return found

    return made


OTHER = "0" * 64
LATE = "2019-01-01T00:00:00+00:00"
BY_ITSELF = {
    "who sealed": edited(0, by="Eve"),
    "role": edited(0, role="programmer"),
    "meaning of a signature": edited(1, meaning="author"),
    "clock of the seal": edited(0, clock=LATE),
    "date of the seal": edited(0, date=LATE),
    "hash of the plan": edited(0, plan=OTHER),
    "hash of the data": edited(2, data=OTHER),
    "hash of another file": edited(2, files={"case_file": OTHER}),
    "a key of the seal": edited(1, keys={"plan.alpha": "0.01"}),
    "an amendment called a seal": edited(3, event="sealed"),
    "the first entry taken out": lambda e: e[1:],
    "a run taken out": lambda e: [*e[:2], *e[3:]],
    "two entries exchanged": lambda e: [e[1], e[0], *e[2:]],
    "a run played again": lambda e: [*e, e[2]],
    "an entry put in": lambda e: [*e[:2], e[1], *e[2:]],
    "no entry left": lambda e: [],
    "a clock that goes back": rebuilt(edited(4, clock=LATE)),
    "a run of a plan that was not sealed": rebuilt(edited(2, plan=OTHER)),
}
"""Found in the trail by itself."""
WITH_A_REPORT = {
    "reason of the amendment": edited(3, reason="none"),
    "the last entry": edited(4, by="Eve"),
    "the last entry taken out": lambda e: e[:-1],
    "all of it forged, with an earlier clock": rebuilt(
        lambda e: [dataclasses.replace(one, clock=LATE) for one in e]
    ),
    "the amendment hidden": rebuilt(
        lambda e: [dataclasses.replace(e[0], plan=e[3].plan), e[4]]
    ),
}
"""Found only where a report has the entries."""


def manipulated(kept, folder, change):
    path = folder / "plan.toml.trail.jsonl"
    entries = list(read_trail(trail_path(kept / "plan.toml")).entries)
    path.write_text("".join(f"{one.line}\n" for one in change(entries)))
    return path


@pytest.mark.parametrize("name", BY_ITSELF)
def test_a_manipulation_is_found_in_the_trail_itself(kept, tmp_path, name, pycompare):
    path = manipulated(kept, tmp_path, BY_ITSELF[name])
    status, text, _ = pycompare("verify", path)
    assert status == 1 and "The trail is whole" not in text
    assert read_trail(path).problems
    shutil.copy(kept / "plan.toml", tmp_path)
    with pytest.raises(InputError, match=r"is not whole"):
        pc.read_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize("name", WITH_A_REPORT)
def test_a_manipulation_is_found_with_a_report(kept, tmp_path, name):
    path = manipulated(kept, tmp_path, WITH_A_REPORT[name])
    if name != "reason of the amendment":
        assert not read_trail(path).problems  # nothing in it alone shows this
    found = pc.verify(kept / "second", trail=path)
    assert [one.what for one in found.problems][-1] == "trail"
    assert "is not the one that the report has" in found.summary()


def test_a_trail_forged_from_the_start_without_a_report_is_not_found(kept, tmp_path):
    forged = rebuilt(lambda e: [dataclasses.replace(one, by="Eve") for one in e])
    assert not read_trail(manipulated(kept, tmp_path, forged)).problems


def test_the_trail_of_another_plan_is_found(kept, tmp_path):
    shutil.copy(trail_path(kept / "plan.toml"), tmp_path / "plan.toml.trail.jsonl")
    (tmp_path / "plan.toml").write_text(PLAN)
    with pytest.raises(InputError, match="was changed after it was sealed"):
        pc.read_plan(tmp_path / "plan.toml")


def test_a_trail_edited_within_a_report_is_found(kept, tmp_path):
    folder = shutil.copytree(kept / "second", tmp_path / "report")
    path = folder / "manifest.json"
    held = json.loads(path.read_text())
    held["plan"]["file"]["trail"][0]["by"] = "Eve"
    path.write_text(json.dumps(held))
    problems = {str(one) for one in pc.verify(folder).problems}
    assert problems == {
        "manifest.json has a trail of the plan that is not as it was written: entry 2 "
        "does not follow entry 1: one of them was edited, moved or taken out"
    }


def test_a_whole_trail_passes_alone_and_with_each_report(kept, pycompare):
    path = trail_path(kept / "plan.toml")
    status, text, _ = pycompare("verify", path)
    assert status == 0 and "The trail is whole." in text
    status, text, _ = pycompare("verify", path, "--json")
    assert status == 0 and json.loads(text)["head"] == read_trail(path).head
    for name in ("first", "second"):
        assert pc.verify(kept / name, trail=path).passed
    status, _, problem = pycompare("verify", path, "--recompute")
    assert status == 2 and "only a trail is checked by itself" in problem
    with pytest.raises(InputError, match="there is no trail"):
        pc.verify(kept / "first", trail=kept / "none.jsonl")


@pytest.mark.parametrize("text", ["", "{}\n", "[1]\n", "\0\n", "[" * 100_000])
def test_a_file_that_is_no_trail_is_a_problem_and_no_crash(tmp_path, text):
    path = tmp_path / "plan.toml.trail.jsonl"
    path.write_text(text)
    assert read_trail(path).problems and read_trail(path).head is None


def test_two_commands_do_not_write_one_trail_at_once(plan, pycompare):
    lock = trail_path(plan).with_suffix(".lock")
    lock.write_text("")
    status, _, problem = pycompare("plan", plan, "--seal", *BY)
    assert status == 2 and "another command is writing the trail" in problem
    lock.unlink()
    assert pycompare("plan", plan, "--seal", *BY)[0] == 0 and not lock.exists()
