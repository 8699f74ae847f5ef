"""The machinery of the validation: nothing but a comparison that agrees is a pass."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.apps import qualification
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop.r_call import RCall
from pycompare.base.parallel.place import working
from pycompare.base.parallel.unfinished import keeping
from pycompare.base.parallel.worker import sources
from pycompare.reporting.render import pdf
from tests.reporting.render.test_pdf import failures
from tests.stateful_checks import STATEFUL, check_with
from validation import checks, functions, page, r, requirements, running
from validation.agreement import (
    Agreement,
    Case,
    Check,
    Library,
    Package,
    Source,
    Wanted,
)
from validation.checks import ranks
from validation.evidence import Evidence
from validation.installed import Installed, installed_files


def check_of(ours):
    case = Case("a case", RCall(("friedman",), "f", {}), ours)
    wanted = {"*": Wanted(12, "closed")}
    return Check("a statistic", Package("R's f"), lambda: [case], wanted)


def evidence_of(outcome, **options):
    return Evidence(agreement=outcome, installed=Installed(7), **options)


@pytest.fixture
def answering(monkeypatch):
    def answer(value):
        def run(calls, timeout, worker):
            if isinstance(value, Exception):
                raise value
            return [value for _ in calls]

        monkeypatch.setattr(r, "run", run)
        monkeypatch.setattr(r, "versions", lambda: {"R": "test"})

    return answer


def test_equal_numbers_agree(answering):
    answering({"x": [1.0, np.nan], "y": 2.0})
    outcome = running.run([check_of({"x": [1.0, np.nan], "y": 2.0})])
    assert outcome.passed
    assert {row.verdict for row in outcome.rows} == {"agrees"}


def test_the_worst_element_decides(answering):
    answering({"x": [1.0, 2.0, 3.0]})
    outcome = running.run([check_of({"x": [1.0, 2.0 + 1e-9, 3.0]})])
    [row] = outcome.rows
    assert row.verdict == "differs"
    assert row.theirs == 2.0
    assert not outcome.passed


@pytest.mark.parametrize(
    "answer",
    [
        ReferenceUnavailable("no R"),
        {},
        {"x": []},
        {"x": [1.0, 2.0]},
    ],
)
def test_what_was_not_compared_is_not_a_pass(answering, answer):
    answering(answer)
    outcome = running.run([check_of({"x": 1.0})])
    assert [row.verdict for row in outcome.rows] == ["not verified"]
    assert outcome.rows[0].reason
    assert not outcome.passed


def test_no_rows_at_all_are_not_a_pass(answering):
    answering({})
    assert not running.run([]).passed


def broken():
    raise ZeroDivisionError("ours")


@pytest.mark.parametrize("cases", [list, broken])
def test_a_check_without_cases_or_with_a_fault_of_ours_is_not_a_pass(answering, cases):
    answering({"x": 1.0})
    check = Check("empty", "R", cases, {"*": Wanted(12, "closed")})
    outcome = running.run([check, check_of({"x": 1.0})])
    assert [row.verdict for row in outcome.rows] == ["not verified", "agrees"]
    assert not outcome.passed


def test_every_check_is_named_once_and_says_what_it_wants():
    made = checks.all_checks()
    assert len({c.statistic for c in made}) == len(made) > 60
    for check in made:
        assert check.wanted_for("anything").why


def test_every_kind_of_reference_is_said_of_many_checks():
    sources = [check.source for check in checks.all_checks()]
    for source in Source:
        assert sources.count(source) > 20


def test_every_case_asks_r_for_what_we_have():
    for check in ranks.omnibus_checks():
        for case in check.cases():
            assert case.ours
            for value in case.ours.values():
                assert np.asarray(value, float).size


def test_the_page_and_the_json_hold_every_row(answering, tmp_path):
    answering({"x": 1.0})
    outcome = running.run([check_of({"x": 1.0, "<y>": 2.0})])
    page.write(evidence_of(outcome), tmp_path / "out")
    held = json.loads((tmp_path / "out" / "evidence.json").read_text())
    assert [row["verdict"] for row in held["rows"]] == ["agrees", "not verified"]
    assert held["passed"] is False
    text = (tmp_path / "out" / "evidence.html").read_text()
    assert "&lt;y&gt;" in text
    assert "Not passed" in text


def test_a_check_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(pc.InputError, match="no check has 'astrology'"):
        pc.validate(tmp_path / "out", only=["astrology"])


def test_without_r_the_command_fails_and_says_not_verified(tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("R_")}
    environment["PATH"] = str(tmp_path)
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "pycompare.apps.cli",
        "validate",
        "--out",
        str(out),
    ]
    ran = subprocess.run(
        [*command, "--only", "Quade", "--workers=1"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert "not verified" in ran.stdout
    assert "0 agree" in ran.stdout
    assert json.loads((out / "evidence.json").read_text())["passed"] is False


def test_the_reference_of_each_statistic_is_on_the_page_and_in_the_json(
    answering, tmp_path
):
    answering({"x": 1.0})
    library = Case("a case", lambda: {"x": 1.0}, {"x": 1.0})
    outcome = running.run(
        [
            check_of({"x": 1.0}),
            replace(check_of({"x": 1.0}), reference="formula"),
            Check("s", Library("f"), lambda: [library], {"*": Wanted(12, "")}),
        ]
    )
    page.write(evidence_of(outcome), tmp_path / "out")
    held = json.loads((tmp_path / "out" / "evidence.json").read_text())
    sources = ["R package", "own derivation in R", "Python library"]
    assert [row["source"] for row in held["rows"]] == sources
    text = (tmp_path / "out" / "evidence.html").read_text()
    for source in sources:
        assert source in text


def test_the_json_names_software_machine_and_date(answering, tmp_path):
    answering({"x": 1.0})
    page.write(evidence_of(running.run([check_of({"x": 1.0})])), tmp_path / "out")
    held = json.loads((tmp_path / "out" / "evidence.json").read_text())
    assert held["versions"]["pycompare"] == pc.__version__
    assert held["versions"]["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert held["versions"]["numpy"] == np.__version__
    assert held["versions"]["R"] == "test"
    assert held["versions"]["platform"]
    assert held["date"][:2] == "20"


def test_a_quick_run_compares_the_first_case_and_says_so(answering, tmp_path):
    answering({"x": 1.0})

    def cases():
        yield check_of({"x": 1.0}).cases()[0]
        raise AssertionError("a second case was made")

    check = Check("a statistic", "R's f", cases, {"*": Wanted(12, "closed")})
    outcome = running.run([check], quick=True)
    assert outcome.passed and len(outcome.rows) == 1
    page.write(evidence_of(outcome), tmp_path / "out")
    assert "Quick run" in (tmp_path / "out" / "evidence.html").read_text()


def failing():
    raise RuntimeError("no such option")


def test_a_python_library_that_fails_is_not_a_pass(answering):
    answering({})
    case = Case("a case", failing, {"x": 1.0})
    check = Check("s", Library("f"), lambda: [case], {"*": Wanted(12, "")})
    [row] = running.run([check]).rows
    assert row.verdict == "not verified"
    assert "f: RuntimeError: no such option" in row.reason


def test_what_has_no_time_left_is_not_verified(answering):
    answering({"x": 1.0})
    [row] = running.run([check_of({"x": 1.0})], seconds=1e-9).rows
    assert row.verdict == "not verified"
    assert "the time limit of the whole run" in row.reason


def test_progress_counts_the_checks_and_says_how_much_time_is_left(answering):
    answering({"x": 1.0})
    lines = []
    with working(1, say=lines.append):
        running.run([check_of({"x": 1.0})] * 3)
    assert lines[0] == "1 of 3 checks"
    assert lines[-1].startswith("3 of 3 checks, took ")


@pytest.fixture
def kept(answering, tmp_path):
    """Run a check that R answers once; return the folder where that is kept."""
    answering({"x": 1.0, "y": np.nan})
    folder = tmp_path / "out.unfinished"
    with keeping(folder, stays=True):
        running.run([check_of({"x": 1.0, "y": np.nan})])
    answering(AssertionError("asked again"))
    return folder


def resumed(kept):
    with keeping(kept, stays=True):
        return running.run([check_of({"x": 1.0, "y": np.nan})])


def test_a_finished_check_is_not_asked_again(kept):
    outcome = resumed(kept)
    assert outcome.passed and len(outcome.rows) == 2


@pytest.mark.parametrize(
    "text", ["", '{"rows": [', '{"rows": []}', "[]", '{"rows": [{}]}']
)
def test_a_finished_check_that_cannot_be_read_is_asked_again(kept, answering, text):
    [path] = kept.glob("*/*.done")
    path.write_text(text)
    answering({"x": 2.0, "y": np.nan})
    outcome = resumed(kept)
    assert [row.verdict for row in outcome.rows] == ["differs", "agrees"]


@pytest.mark.parametrize("what", ["R", "checks", "R functions", "pycompare's code"])
def test_with_other_software_or_code_checks_are_asked_again(
    kept, answering, monkeypatch, what
):
    answering({"x": 3.0, "y": np.nan})
    versions, no_r = running.here()
    other = {**versions, what: "another"}
    monkeypatch.setattr(running, "here", lambda: (other, no_r))
    assert resumed(kept).rows[0].theirs == 3.0


@pytest.mark.parametrize("pattern", ["*.py", "*.R"])
def test_any_change_of_code_is_seen(tmp_path, pattern):
    path = tmp_path / "below" / pattern.replace("*", "f")
    path.parent.mkdir()
    path.write_text("a")
    before = sources(tmp_path, pattern)
    path.write_text("b")
    assert sources(tmp_path, pattern) != before


def test_what_r_did_not_answer_is_not_kept(answering, tmp_path):
    answering(ReferenceUnavailable("it crashed"))
    with keeping(tmp_path / "kept", stays=True):
        running.run([check_of({"x": 1.0})])
    assert not list((tmp_path / "kept").glob("*/*.done"))


def test_the_folder_of_finished_checks_is_removed_at_the_end(answering, tmp_path):
    answering({})
    pc.validate(tmp_path / "out", only=["Quade"], workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("options", [{"time_limit": 0}, {"workers": -1}])
def test_limits_that_are_none_are_refused(tmp_path, options):
    with pytest.raises(pc.InputError, match="above 0"):
        pc.validate(tmp_path / "out", **options)


@pytest.fixture
def stateful(monkeypatch):
    monkeypatch.setattr(r, "reference_source", lambda stem: STATEFUL)


@pytest.mark.r
def test_no_check_depends_on_those_before_it(stateful):
    names = ["fine", "crash", "fine", "mark", "marked", "fine"]
    outcome = running.run([check_with(name) for name in names])
    verdicts = [row.verdict for row in outcome.rows]
    assert verdicts == ["agrees", "not verified", *["agrees"] * 4]
    assert "R crashed (SIGSEGV)" in outcome.rows[1].reason


@pytest.mark.r
def test_a_check_that_takes_too_long_is_not_verified(stateful, tmp_path):
    checks = [check_with("wait", file=str(tmp_path / "pid"))]
    [row] = running.run(checks, check_seconds=2).rows
    assert row.verdict == "not verified"
    assert "no answer within 2 s" in row.reason


@pytest.mark.r
def test_a_worker_answers_again_after_a_request_without_an_answer(stateful, tmp_path):
    wait = check_with("wait", file=str(tmp_path / "pid")).cases()[0].call
    with r.Worker() as worker:
        with pytest.raises(ReferenceUnavailable, match="no answer within 2 s"):
            r.run([wait], timeout=2, worker=worker)
        [found] = r.run([RCall(("f",), "fine", {})], timeout=300, worker=worker)
    assert found == {"x": 1.0}


INTERRUPTED = """
import signal
import sys
from pathlib import Path
from validation import r
from tests.stateful_checks import STATEFUL, check_with
from validation import running
from pycompare.base.parallel.unfinished import keeping

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
r.reference_source = lambda stem: STATEFUL
checks = [check_with("fine"), check_with("wait", file=sys.argv[1])]
with keeping(Path(sys.argv[2])):
    running.run(checks)
"""


def alive(pid):
    """Return whether a process is there and not a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] not in "ZX"


def until(condition):
    while not condition():
        time.sleep(0.1)


@pytest.mark.r
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_an_ended_run_leaves_no_process_and_goes_on(
    number, stateful, tmp_path, monkeypatch
):
    pid_file, kept = tmp_path / "pid", tmp_path / "kept"
    root = Path(__file__).parents[1]
    command = [sys.executable, "-c", INTERRUPTED, str(pid_file), str(kept)]
    ran = subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL)
    until(pid_file.exists)
    worker = int(pid_file.read_text())
    assert alive(worker)
    ran.send_signal(number)
    assert ran.wait() != 0
    until(lambda: not alive(worker))
    monkeypatch.setattr(r, "run", lambda *_, **__: [{"x": 7.0}])
    with keeping(kept):
        checks = [check_with("fine"), check_with("wait", file=str(pid_file))]
        first, second = running.run(checks).rows
    assert first.theirs == 1.0  # it was read, not asked again
    assert second.theirs == 7.0
    assert not kept.exists()


def test_an_agreement_without_rows_is_no_pass():
    assert not Agreement((), {}, 0.0, "2026-01-01").passed


# ---- the evidence of a use -----------------------------------------------------------

SCHEMA = json.loads((Path(page.__file__).parent / "evidence.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "integer": int,
         "number": (int, float), "boolean": bool, "null": type(None)}  # fmt: skip


def against(schema, value, place="evidence"):
    """Yield what is not as the schema says, of the words that the schema uses."""
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(isinstance(value, TYPES[kind]) for kind in kinds):
        yield f"{place} is {value!r}, not {kinds}"
    elif value not in schema.get("enum", [value]):
        yield f"{place} is {value!r}, not of {schema['enum']}"
    elif isinstance(value, dict):
        known = schema.get("properties", {})
        yield from (
            (f"{place} lacks {k}" for k in set(schema["required"]) - set(value))
            if "required" in schema
            else ()
        )
        for name, one in value.items():
            if name in known:
                yield from against(known[name], one, f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{place}.{name} is not in the schema"
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from against(schema["items"], one, f"{place}[{at}]")


def test_the_evidence_is_as_its_schema_says(answering, tmp_path):
    answering({"x": 1.0})
    check = replace(check_of({"x": 1.0, "y": 2.0}), statistic="Quade")
    found = evidence_of(running.run([check], quick=True), use="<b>reading</b>")
    page.write(found, tmp_path / "out")
    held = json.loads((tmp_path / "out" / "evidence.json").read_text())
    assert list(against(SCHEMA, held)) == []
    broken = held | {"risk": "none", "more": 1, "gaps": [3]}
    del broken["rows"]
    assert len(list(against(SCHEMA, broken))) == 4
    text = (tmp_path / "out" / "evidence.html").read_text()
    assert "&lt;b&gt;reading" in text and "first case of each check only" in text
    assert (tmp_path / "out" / "evidence.pdf").read_bytes()[:5] == b"%PDF-"


def test_evidence_is_verified_and_compared(answering, tmp_path):
    check = replace(check_of({"x": 1.0}), statistic="Quade")
    for name, number in (("first", 1.0), ("second", 2.0)):
        answering({"x": number})
        page.write(evidence_of(running.run([check])), tmp_path / name)
        assert pc.verify(tmp_path / name).passed
    changes = pc.diff(tmp_path / "first", tmp_path / "second")
    assert changes.of("conclusions")["place"].tolist() == [
        "passed",
        "N03 Quade's test",
    ]
    assert changes.summary().startswith("2 of ")
    (tmp_path / "second" / "qualification" / "oq.html").write_text("passed")
    problems = [str(one) for one in pc.verify(tmp_path / "second").problems]
    assert problems == ["qualification/oq.html was changed"]


def test_the_qualification_is_filled_from_the_run_as_html_and_pdf(
    answering, tmp_path, monkeypatch
):
    """Its PDF conforms to PDF/A-3a and PDF/UA-1 by the rules of both."""
    documents, render = [], pdf.render

    def kept(document):
        documents.append(document)
        return render(document)

    answering({"x": 1.0})
    check = replace(check_of({"x": 1.0}), statistic="Quade")
    evidence = evidence_of(running.run([check]), use="<b>reading</b>")
    with monkeypatch.context() as patch:
        patch.setattr(pdf, "render", kept)
        page.write(evidence, tmp_path / "o")
    folder = tmp_path / "o" / "qualification"
    for name in ("validation_plan", "iq", "oq", "pq", "traceability"):
        text = (folder / f"{name}.html").read_text()
        assert "&lt;b&gt;reading" in text and "Quality review" in text
        assert b"PDF" in (folder / f"{name}.pdf").read_bytes()[:5]
        held = (folder / f"{name}.pdf").read_bytes()
        assert b"pdfaid:part>3<" in held and b"pdfaid:conformance>A<" in held
    assert [failures(document) for document in documents] == [[]] * len(documents)
    assert len(documents) >= 5
    assert "Quade" in (folder / "oq.html").read_text()
    assert f"pycompare {pc.__version__}" in (folder / "iq.html").read_text()
    assert "F01" in (folder / "traceability.html").read_text()


def test_every_requirement_of_a_function_has_tests_that_there_are():
    names = [one.identifier for one in functions.FUNCTIONS]
    assert len(set(names)) == len(names)
    for one in functions.FUNCTIONS:
        assert one.risk in ("high", "not-high") and one.tests
        for test in one.tests:
            file, _, name = test.partition("::")
            text = (Path(__file__).parents[1] / file).read_text()
            assert f"def {name}(" in text, test


def test_identifiers_of_requirements_stay():
    named = {requirements.identifier_of(r): r.title for r in requirements.REQUIREMENTS}
    assert len(named) == len(requirements.REQUIREMENTS)
    assert named["N01"].startswith("Friedman") and named["N03"] == "Quade's test"
    assert named["N12"] == "Bergmann-Hommel adjustment"


def test_every_check_shows_one_requirement_and_every_requirement_has_checks():
    shown = [requirements.requirement_of(c.statistic) for c in checks.all_checks()]
    assert {len(found) for found in shown} == {1}
    titles = {found[0].title for found in shown}
    assert titles == {one.title for one in requirements.REQUIREMENTS}
    functions = [name for one in requirements.REQUIREMENTS for name in one.functions]
    assert set(functions) <= set(pc.PUBLIC)


def test_equations_of_requirements_are_those_of_the_site():
    text = Path(__file__).parents[1].joinpath("docs", "equations.md").read_text()
    parts = text.split("\n### ")[1:]
    sections = {part.split(" ")[0]: part for part in parts}
    named = {}
    for one in requirements.REQUIREMENTS:
        for number in filter(None, one.equation.split(", ")):
            told = sections[number].split("Functions:")[-1]
            assert any(f"`{name}`" in told for name in one.functions), (one, number)
            named[number] = one
    assert set(named) == set(sections)


def test_a_requirement_has_the_number_with_the_least_to_spare(answering):
    answering({"x": 1.0 + 1e-13, "y": 1.0})
    check = replace(check_of({"x": 1.0, "y": 1.0}), statistic="Quade")
    found = evidence_of(running.run([check]))
    line = next(one for one in found.lines() if one["equation"] == "3.5")
    assert (line["numbers"], line["verdict"]) == (2, "agrees")
    assert line["digits_wanted"] == 12 and 12.9 < line["digits_got"] < 13.1
    others = [one for one in found.lines() if one["equation"] != "3.5"]
    assert {one["verdict"] for one in others} == {"not run"}


def test_what_is_missing_for_the_use_depends_on_its_risk(answering):
    answering({"x": 1.0})
    quick = running.run([check_of({"x": 1.0})], quick=True)
    high, low = evidence_of(quick), evidence_of(quick, risk="not-high")
    assert len(high.gaps) == len(low.gaps) + 1
    changed = replace(high, installed=Installed(7, ("pycompare/x.py",)))
    assert high.passed and not changed.passed
    with pytest.raises(pc.InputError, match="risk"):
        pc.validate("nowhere", risk="some")


def test_files_are_hashed_as_the_record_says():
    assert installed_files("no-such-package").reason
    found = installed_files("click")
    assert found.verified and found.files > 5


@pytest.mark.parametrize("missing", ["plan", "data", "both"])
def test_the_users_own_files_are_read_before_the_checks(tmp_path, monkeypatch, missing):
    def never(*_, **__):
        raise AssertionError("a check was made")

    monkeypatch.setattr(qualification._load("running"), "run", never)
    files = {"data": tmp_path / "s.csv", "plan": tmp_path / "plan.toml"}
    files["data"].write_text(pc.example_path().read_text())
    files["plan"].write_text(
        '[data]\nformat = "wide"\nblock = "dataset"\n[metrics]\naccuracy = "higher"\n'
    )
    gone = files.values() if missing == "both" else [files[missing]]
    for path in gone:
        path.unlink()
    with pytest.raises((pc.InputError, OSError), match="No such file"):
        pc.validate(tmp_path / "x", **files)


def test_the_users_own_data_are_repeated_in_r(tmp_path):
    (tmp_path / "s.csv").write_text(pc.example_path().read_text())
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nformat = "wide"\nblock = "dataset"\n[metrics]\naccuracy = "higher"\n'
        '[plan]\nblocks = "datasets"\nadjust = ["holm"]\n'
    )
    out = tmp_path / "out"
    found = pc.validate(
        out, only=["Quade"], quick=True, data=tmp_path / "s.csv", plan=plan
    )
    held = json.loads((out / "evidence.json").read_text())
    assert list(against(SCHEMA, held)) == []
    assert found.passed and held["own_data"]["passed"]
    assert "numbers of results.json agree" in held["crosswalk"][2]["outcome"]
    assert (
        pc.verify(out / "own_data").manifest_sha256
        == (held["own_data"]["manifest_sha256"])
    )
    with pytest.raises(pc.InputError, match="needs plan"):
        pc.validate(tmp_path / "x", data=tmp_path / "s.csv")
