"""``pycompare gate``: files, verdicts, exit statuses."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import subprocess
import sys

import pytest

import pycompare as pc
from pycompare.apps.cli import gate as command
from pycompare.data import files as files_of_tables
from pycompare.data.readers import read_results as results
from tests.data.readers.test_read_results import sample, write_samples

PARTS = {"a": (10, 12, 400), "b": (5, 4, 300), "c": (2, 3, 100)}
TABLE = ("--block", "item", "--metric", "accuracy:higher")
GRADES = ("--block", "item", "--metric", "grade:higher")


def write(path, model, parts=PARTS, shift=0):
    """Write the answers of one model: the items that it alone wins are first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["item", "subject", "accuracy"])
        at = shift
        for label, (wins, losses, n) in parts.items():
            for i in range(n):
                new, old = i < wins, wins <= i < wins + losses
                out.writerow([f"q{at}", label, int(new if model == "new" else old)])
                at += 1
    return path


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "old.csv", "old"), write(tmp_path / "new.csv", "new")


@pytest.mark.parametrize(
    ("parts", "status", "word"),
    [
        ({"a": (10, 12, 400)}, 0, "pass"),
        ({"a": (1, 60, 400)}, 1, "fail"),
        ({"a": (2, 5, 100)}, 3, "undecided"),
    ],
)
def test_the_status_is_that_of_the_verdict(pycompare, tmp_path, parts, status, word):
    old, new = (write(tmp_path / f"{m}.csv", m, parts) for m in ("old", "new"))
    out = tmp_path / "gate"
    done, said, _ = pycompare("gate", old, new, *TABLE, "--margin", 0.05, "--out", out)
    assert (done, said.splitlines()[0]) == (status, word)
    held = json.loads((out / "gate.json").read_text())
    assert (held["verdict"], held["exit_status"]) == (word, status)
    assert [f["path"] for f in held["baseline"]["files"]] == ["old.csv"]
    assert (out / "comment.md").read_text().startswith("<!-- pycompare-gate -->")
    assert pc.verify(out).passed


def test_slices_and_json(pycompare, files, tmp_path):
    done, said, _ = pycompare(
        "gate", *files, *TABLE, "--margin", 0.05, "--slices", "subject",
        "--slice-margin", "default=0.06", "--slice-margin", "c=0.05",
        "--out", tmp_path / "gate", "--json",
    )  # fmt: skip
    held = json.loads(said)
    assert done == held["exit_status"] == 3
    margins = {m["slice"]: m["margin"] for m in held["members"]}
    assert margins == {None: 0.05, "a": 0.06, "b": 0.06, "c": 0.05}


def test_alpha_is_twice_the_error_rate_of_a_margin(pycompare, files, tmp_path):
    given = (
        "gate",
        *files,
        *TABLE,
        "--margin",
        0.05,
        "--json",
        "--out",
        tmp_path / "o",
    )
    _, once, _ = pycompare(*given, "--margin-alpha", 0.01)
    _, twice, _ = pycompare(*given, "--overwrite", "--alpha", 0.02)
    pair = [json.loads(said) for said in (once, twice)]
    assert pair[0]["level"] == pair[1]["level"]
    assert pair[1]["level"]["margin_alpha"] == 0.01
    status, _, said = pycompare(*given, "--alpha", 0.02, "--margin-alpha", 0.01)
    assert status == 2 and "leave one out" in said


def test_one_file_of_both_models_is_the_same_gate(pycompare, files, planned, tmp_path):
    both = planned.with_name("both.csv")
    two = pycompare("gate", *files, *TABLE, "--margin", 0.05, "--out", tmp_path / "two")
    one = pycompare(
        "gate", both, *TABLE, "--algorithm", "model", "--baseline", "old",
        "--candidate", "new", "--margin", 0.05, "--out", tmp_path / "one",
    )  # fmt: skip
    assert one[0] == two[0] and one[1].splitlines()[1] == two[1].splitlines()[1]


def test_results_of_a_known_program_need_no_roles(pycompare, tmp_path):
    for model, wins in (("old", 3), ("new", 5)):
        lines = [sample(i, float(i < wins)) for i in range(200)]
        write_samples(tmp_path, model, lines)
    done, said, _ = pycompare(
        "gate", tmp_path / "old", tmp_path / "new", "--margin", 0.05,
        "--out", tmp_path / "gate",
    )  # fmt: skip
    assert done == 0, said
    assert "new is not worse than old" in said
    held = json.loads((tmp_path / "gate" / "gate.json").read_text())
    named = {f["path"]: f["sha256"] for f in held["baseline"]["files"]}
    for name, sha256 in named.items():
        content = (tmp_path / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sha256
    assert all(name.startswith("old/") for name in named) and named
    done, _, problem = pycompare(
        "gate", tmp_path / "old", tmp_path / "new", "--margin", 0.05,
        "--slices", "subject", "--out", tmp_path / "slices",
    )  # fmt: skip
    assert done == 2 and "--slices" in problem and "--group" not in problem


def test_prompts_that_differ_are_told_and_other_texts_are_other_items(
    pycompare, tmp_path
):
    both = [tmp_path / model for model in ("old", "new")]
    words = ("gate", *both, "--margin", 0.05, "--out", tmp_path / "gate")
    for path in both:
        other = {"prompt_hash": "another"} if path.name == "new" else {}
        lines = [sample(i, float(i < 3), **(other if i < 7 else {})) for i in range(90)]
        write_samples(tmp_path, path.name, lines)
    status, said, problem = pycompare(*words)
    assert status == 0 and "the prompts of 7 items differ" in said, problem
    told = (tmp_path / "gate" / "comment.md").read_text()
    assert "the prompts of 7 items differ" in told
    assert pc.verify(tmp_path / "gate", recompute=True).passed
    lines = [sample(i, 1.0, target_hash=f"x{i}") for i in range(90)]
    write_samples(tmp_path, "new", lines)
    status, _, problem = pycompare(*words, "--overwrite")
    assert status == 2 and "the contents of their items differ" in problem


REFUSED = {
    "--margin is missing": ("OLD", "NEW", *TABLE),
    "asks for superiority": ("OLD", "NEW", *TABLE, "--margin", 0),
    "a number above 0": ("OLD", "NEW", *TABLE, "--margin", -0.05),
    "scores differ by 1 at most": ("OLD", "NEW", *TABLE, "--margin", 1),
    "'f1' is not compared": ("OLD", "NEW", *TABLE, "--margin", "f1=0.05"),
    "there is no slice 'd'": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--slices", "subject",
        "--slice-margin", "d=0.05",
    ),
    "--slice-margin 0.1 is of slices: give --slices": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--slice-margin", 0.1,
    ),
    "no such file or folder": ("OLD", "absent.csv", *TABLE, "--margin", 0.05),
    "have the same content": ("OLD", "COPY", *TABLE, "--margin", 0.05),
    "has no answers": ("OLD", "HEADER", *TABLE, "--margin", 0.05),
    "two different tests": ("OLD", "OTHER", *TABLE, "--margin", 0.05),
    "give --baseline NAME": ("OLD", *TABLE, "--margin", 0.05),
    "--candidate is for one file of both models": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--candidate", "new",
    ),
    "each file is one model": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--algorithm", "model",
    ),
    "name the answers and which direction is better": (
        "OLD", "NEW", "--block", "item", "--margin", 0.05,
    ),
    "takes 1229 items. --small report": (
        "OLD", "NEW", *TABLE, "--margin", 0.003,
    ),
    "no column 'topic'": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--slices", "topic",
    ),
    "has one value": ("OLD", "NEW", *TABLE, "--margin", 0.05, "--slices", "test"),
    "missing": ("OLD", "SHORT", *TABLE, "--margin", 0.05),
    "q0": ("OLD", "TWICE", *TABLE, "--margin", 0.05),
    "give --runs samples": (
        "RUNS", "RUNS2", *TABLE, "--margin", 0.05, "--replicate", "run",
    ),
    "give two answers to each item or more": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--items-scope", "fixed",
    ),
    "3 clusters are too few; a gate takes 20": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--cluster", "subject",
    ),
    "sampled texts are clusters": (
        "OLD", "NEW", *TABLE, "--margin", 0.05, "--cluster", "subject", "--slices",
        "subject",
    ),
    "graded scores have the bounded test": (
        "GRADED", "GRADED2", *GRADES, "--margin", 0.05,
    ),
    "outside it": (
        "GRADED", "GRADED2", *GRADES, "--margin", 0.05, "--range", "0,0.4",
    ),
    "--budget": ("OLD", "NEW", *TABLE, "--margin", 0.05, "--budget", 0),
}  # fmt: skip


def other_files(old, folder):
    """Write files that are no answers of a second model to the same items."""
    parts = {"a": (10, 12, 400), **PARTS}
    text = old.read_text()
    grades = text.replace(",1\n", ",0.5\n").replace("accuracy", "grade")
    runs = "item,run,accuracy\n" + "".join(
        f"q{i},{r},{int(i % 3 > 0)}\n" for i in range(100) for r in range(2)
    )
    contents = {
        "HEADER": "item,subject,accuracy\n",
        "TWICE": (folder / "new.csv").read_text() + "q0,a,1\n",
        "GRADED": grades,
        "GRADED2": grades.replace("q90,a,0", "q90,a,0.5"),
        "RUNS": runs,
        "RUNS2": runs.replace("q1,0,1", "q1,0,0"),
    }
    for name, content in contents.items():
        (folder / f"{name.lower()}.csv").write_text(content)
    paths = {name: folder / f"{name.lower()}.csv" for name in contents}
    paths["SHORT"] = write(
        folder / "short.csv", "new", {**parts, "a": (10, 12, 390)}, 5
    )
    paths["OTHER"] = write(folder / "other.csv", "new", PARTS, shift=5000)
    paths["COPY"] = shutil.copy(old, folder / "copy.csv")
    return paths


@pytest.mark.parametrize("said", REFUSED)
def test_bad_input_is_one_line_status_2_and_nothing_written(
    pycompare, files, tmp_path, said
):
    old, new = files
    if "test" in REFUSED[said]:
        for path in files:
            head, *rows = path.read_text().splitlines()
            told = [f"{head},test", *(f"{row},t" for row in rows)]
            path.write_text("\n".join([*told, ""]))
    paths = {"OLD": old, "NEW": new, **other_files(old, tmp_path)}
    words = [paths.get(word, word) for word in REFUSED[said]]
    out = tmp_path / "gate"
    done, printed, problem = pycompare("gate", *words, "--out", out)
    assert done == 2 and printed == "" and not out.exists()
    assert said in problem and len(problem.splitlines()) == 1
    assert "Traceback" not in problem


PLAN = """
[data]
file = "both.csv"
algorithm = "model"
block = "item"

[metrics]
accuracy = "higher"

[plan]
blocks = "cases"
hypothesis = "non-inferiority"
control = "old"
margin = 0.05
margin_reason = "half of what users notice"

[release]
candidate = "new"
slices = ["subject"]
slice_margin = { default = 0.06, c = 0.05 }
budget = 2
looks = "gates.jsonl"
"""


@pytest.fixture
def planned(files, tmp_path):
    rows = []
    for path in files:
        with path.open(newline="") as file:
            rows += [{"model": path.stem, **row} for row in csv.DictReader(file)]
    with (tmp_path / "both.csv").open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows(rows)
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def test_a_plan_and_options_are_one_gate(pycompare, planned, tmp_path):
    held = {}
    options = (
        *(tmp_path / "both.csv", *TABLE, "--algorithm", "model", "--baseline", "old"),
        *("--candidate", "new", "--margin", 0.05, "--slices", "subject"),
        *("--slice-margin", "default=0.06", "--slice-margin", "c=0.05"),
        *("--budget", 2),
    )
    for name, words in {
        "run": ("run", planned),
        "plan": ("gate", "--plan", planned),
        "options": ("gate", *options),
    }.items():
        status, *_ = pycompare(*words, "--out", tmp_path / name)
        held[name] = json.loads((tmp_path / name / "gate.json").read_text())
        origin = held[name].pop("provenance")
        level = held[name]["level"]
        recorded = level.pop("used"), level.pop("record") is not None
        assert recorded == ((1, True) if name != "options" else (None, False))
        assert origin["command"].startswith("pycompare") and origin["versions"]
        assert (origin["plan_file"] == "plan.toml") == (name != "options")
        assert status == held[name]["exit_status"] == 3
    assert pc.verify(tmp_path / "run", recompute=True).passed
    assert pc.verify(tmp_path / "options", recompute=True).passed
    assert held["run"] == held["plan"] == held["options"]
    text = (tmp_path / "run" / "report.html").read_text()
    assert "plan.toml" in text and "half of what users notice" in text
    assert len((tmp_path / "gates.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('blocks = "cases"\n', "", 'a gate needs blocks = "cases"'),
        ('control = "old"\n', "", "name the control"),
        ('candidate = "new"\n', "", "candidate is missing"),
        ("budget = 2", "budget = 0", "budget = 0: give a whole number of gates"),
        ("budget = 2", "bugdet = 2", "there is no key"),
        ('slices = ["subject"]\n', "", "is of slices: give slices"),
        ('slices = ["subject"]', 'slices = ["topic"]', "no column 'topic'"),
        ("margin = 0.05\n", "margin = 0.05\nblind = true\n", "leave blind out"),
        ('block = "item"', 'block = "item"\ngroup = "subject"', "among slices"),
    ],
)
def test_a_plan_that_is_no_gate_is_rejected(
    pycompare, planned, tmp_path, old, new, said
):
    assert old in PLAN
    planned.write_text(PLAN.replace(old, new))
    status, _, problem = pycompare("run", planned, "--out", tmp_path / "out")
    assert status == 2 and not (tmp_path / "out").exists()
    assert said in problem or "no key" in problem


def test_other_commands_and_plans_are_rejected(pycompare, planned, tmp_path):
    both, out = tmp_path / "both.csv", ("--out", tmp_path / "out")
    status, _, problem = pycompare("compare", both, "--plan", planned, *out)
    assert status == 2 and "the plan is of a gate" in problem
    status, _, problem = pycompare("gate", "--plan", planned, "--budget", 2, *out)
    assert status == 2 and "--plan and budget both state the gate" in problem
    planned.write_text(PLAN.partition("[release]")[0])
    status, _, problem = pycompare("gate", "--plan", planned, *out)
    assert status == 2 and "has no table [release]" in problem
    status, _, problem = pycompare("gate", *out)
    assert status == 2 and "or --plan FILE" in problem


def test_missing_answers_have_bounds_from_files_and_from_a_plan(
    pycompare, files, planned, tmp_path
):
    old, new = files
    lines = new.read_text().splitlines(keepends=True)
    new.write_text("".join(lines[:-3]))
    words = ("gate", old, new, *TABLE, "--margin", 0.05, "--missing", "bounds")
    status, said, problem = pycompare(*words, "--out", tmp_path / "gate")
    assert status == 0, problem
    assert "missing answers: 0 of 'old' and 3 of 'new'" in said
    both = planned.with_name("both.csv")
    rows = both.read_text().splitlines(keepends=True)
    both.write_text("".join(rows[:-3]))
    text = PLAN.replace('block = "item"', 'block = "item"\nmissing = "bounds"')
    planned.write_text(text)
    status, said, problem = pycompare("run", planned, "--out", tmp_path / "run")
    assert status == 3 and "3 of 'new'" in said, problem
    planned.write_text(text.partition("[release]")[0])
    status, _, problem = pycompare("run", planned, "--out", tmp_path / "plain")
    assert status == 2 and "is for a gate" in problem and "line 6" in problem


def counted(monkeypatch, module, name):
    """Return how often a function was called, in a list that grows."""
    calls, function = [], getattr(module, name)

    def once(*args, **options):
        calls.append(name)
        return function(*args, **options)

    monkeypatch.setattr(module, name, once)
    return calls


def test_a_file_of_several_columns_of_slices_is_read_once(
    pycompare, planned, tmp_path, monkeypatch
):
    both = planned.with_name("both.csv")
    head, *rows = both.read_text().splitlines()
    told = [f"{row},{'xy'[i % 800 > 399]}" for i, row in enumerate(rows)]
    both.write_text("\n".join([f"{head},half", *told, ""]))
    text = PLAN.replace('["subject"]', '["subject", "half"]')
    planned.write_text(text.replace("c = 0.05", "x = 0.2"))
    read = counted(monkeypatch, files_of_tables, "_read_table")
    status, _, problem = pycompare("run", planned, "--out", tmp_path / "plan")
    assert status in (0, 3), problem
    assert len(read) == 1
    margins = ("--slice-margin", "default=0.06", "--slice-margin", "x=0.2")
    pycompare(
        "gate", both, *TABLE, "--algorithm", "model", "--baseline", "old",
        "--candidate", "new", "--margin", 0.05, "--slices", "subject", "--slices",
        "half", *margins, "--budget", 2, "--out", tmp_path / "options",
    )  # fmt: skip
    assert len(read) == 2
    held = [
        json.loads((tmp_path / name / "gate.json").read_text())["members"]
        for name in ("plan", "options")
    ]
    assert held[0] == held[1]
    assert [m["slice"] for m in held[0]] == [None, "a", "b", "c", "x", "y"]


def test_results_of_several_columns_of_slices_are_read_once(
    pycompare, tmp_path, monkeypatch
):
    for model, wins in (("old", 3), ("new", 5)):
        docs = [{"question": f"q{i}", "topic": "ab"[i % 2]} for i in range(400)]
        lines = [
            sample(i, float(i < wins), doc=doc | {"form": "xy"[i > 150]})
            for i, doc in enumerate(docs)
        ]
        write_samples(tmp_path, model, lines)
    both = [tmp_path / name for name in ("old", "new")]
    words = ("gate", *both, "--margin", 0.05, "--slices", "doc.topic")
    read = counted(monkeypatch, results, "read_results")
    status, _, problem = pycompare(
        *words, "--slices", "doc.form", "--out", tmp_path / "gate"
    )
    assert status == 0, problem
    assert len(read) == 1
    members = json.loads((tmp_path / "gate" / "gate.json").read_text())["members"]
    sizes = {m["slice"]: m["n_items"] for m in members}
    assert sizes == {None: 400, "a": 200, "b": 200, "x": 151, "y": 249}
    for column, said in {
        "doc.tropic": "doc.tropic: there is no such field",
        "filter": "has one value, 'none'",
    }.items():
        status, _, problem = pycompare(
            *words, "--slices", column, "--out", tmp_path / "other"
        )
        assert status == 2 and said in problem and "--group" not in problem
    status, _, problem = pycompare(*words[:-1], "filter", "--out", tmp_path / "other")
    assert status == 2 and "--slices filter has one value" in problem


@pytest.mark.parametrize("alpha", ["0", "1", "nan", "1e-300"])
def test_an_error_rate_is_named_as_it_was_given(pycompare, files, tmp_path, alpha):
    status, _, problem = pycompare(
        "gate", *files, *TABLE, "--margin", 0.05, "--alpha", alpha, "--out",
        tmp_path / "gate",
    )  # fmt: skip
    assert status == 2 and "margin-alpha" not in problem
    assert problem.startswith("pycompare: --alpha ")
    assert "give a number between 0 and 1, at least 1e-12" in problem


def test_a_record_is_named_with_few_of_its_faults(pycompare, files, tmp_path):
    words = ("gate", *files, *TABLE, "--margin", 0.05, "--out", tmp_path / "gate")
    record = tmp_path / "other.csv"
    record.write_text("a,b\n" * 500)
    status, _, problem = pycompare(*words, "--looks", record)
    assert status == 2 and "; and 497 more; restore it" in problem
    status, _, problem = pycompare(*words, "--looks", tmp_path / "no" / "looks.jsonl")
    assert status == 2 and "no/looks.jsonl" in problem and ".lock" not in problem


def test_an_error_names_both_models(pycompare, files, tmp_path):
    old, new = files
    new.write_text(new.read_text() + "q0,a,1\n")
    *_, problem = pycompare(
        "gate", old, new, *TABLE, "--margin", 0.05, "--out", tmp_path / "gate"
    )
    assert problem.startswith("pycompare: old and new: ")


def test_a_fault_of_the_program_is_4(pycompare, files, tmp_path, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(command, "_read", broken)
    done, _, problem = pycompare(
        "gate", *files, *TABLE, "--margin", 0.05, "--out", tmp_path / "gate"
    )
    assert done == 4 and "ZeroDivisionError" in problem


def test_help_is_short(pycompare):
    _, said, _ = pycompare("gate", "--help")
    assert len(said.splitlines()) <= 45


def test_help_loads_no_scipy():
    program = (
        "import sys\nfrom pycompare.apps.cli.app import main\n"
        "sys.argv = ['pycompare', 'gate', '--help']\n"
        "try:\n    main()\nfinally:\n    sys.exit('scipy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True)
    assert done.returncode == 0 and b"--margin" in done.stdout


def test_of_many_slices_those_furthest_from_a_pass_are_shown_and_the_page_says_so(
    pycompare, tmp_path
):
    parts = {f"s{k}": (4, 0, 100) for k in range(12)} | {"last": (0, 3, 100)}
    old, new = (write(tmp_path / f"{m}.csv", m, parts) for m in ("old", "new"))
    out = tmp_path / "gate"
    options = ("--margin", 0.05, "--slices", "subject", "--format", "text")
    pycompare("gate", old, new, *TABLE, *options, "--out", out)
    page = (out / "report.txt").read_text()
    assert "Shown: the 12 of 14 criteria that are furthest from a pass." in " ".join(
        page.split()
    )
    assert "The first 12 of 14 rows." in page
    table = page.partition("Criteria. Decision")[2].partition("The first 12 of")[0]
    rows = re.findall(r"^ *(last|s\d+|all items) ", table, re.MULTILINE)
    assert rows[0] == "last" and len({*rows}) == 12
    few = [write(tmp_path / "few" / f"{m}.csv", m) for m in ("old", "new")]
    pycompare("gate", *few, *TABLE, *options, "--out", tmp_path / "other")
    assert "furthest" not in (tmp_path / "other" / "report.txt").read_text()
