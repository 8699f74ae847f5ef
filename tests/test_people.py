"""What people who join look for: pages, forms, workflows, the paper, the standards."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.documents import Page

ROOT = Path(__file__).parents[1]
HOST = ROOT / ".github"
WORKFLOWS = sorted((HOST / "workflows").glob("*.yml"))
FORMS = sorted((HOST / "ISSUE_TEMPLATE").glob("*.yml"))
TARGETS = set(
    re.findall(r"(?m)^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"))
)
PAGES = [*sorted(HOST.glob("*.md")), ROOT / "SECURITY.md"]
PAPER = (ROOT / "docs" / "paper" / "paper.md").read_text(encoding="utf-8")
STANDARDS = (ROOT / "docs" / "standards.md").read_text(encoding="utf-8")


def commands(workflow: Path) -> list[str]:
    """Return the shell commands of a workflow."""
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return [
        step["run"] for job in jobs.values() for step in job["steps"] if "run" in step
    ]


def test_the_pages_that_hosts_look_for_are_there():
    names = {path.name for path in PAGES}
    wanted = {"CONTRIBUTING", "CODE_OF_CONDUCT", "GOVERNANCE", "SUPPORT"}
    assert {f"{name}.md" for name in wanted} <= names
    assert (HOST / "pull_request_template.md").is_file()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_their_links_lead_to_files_and_their_make_targets_exist(path):
    page = Page(path)
    for target in page.links():
        assert (path.parent / target.split("#")[0]).is_file(), target
    assert set(re.findall(r"`make ([a-z]+)", page.text)) <= TARGETS


def test_variables_of_long_tests_are_those_of_make_study():
    text = (HOST / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    study = recipe.partition("\nstudy:")[2].partition("\n\n")[0]
    [row] = [line for line in text.splitlines() if line.startswith("| with `")]
    assert set(re.findall(r"`([A-Z_]+)`", row)) == set(
        re.findall(r"(?m)^\t([A-Z_]+)=", study)
    )


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_do_their_work_by_make_targets_that_exist(workflow):
    called = re.findall(r"(?m)^make ([a-z]+)", "\n".join(commands(workflow)))
    assert called and set(called) <= TARGETS
    rest = [line for line in commands(workflow) if not line.startswith("make ")]
    assert [line for line in rest if re.search(r"\bp(ip|ytest|ython3?) ", line)] == [
        line for line in rest if line.startswith("apt-get ")
    ]


def test_workflows_cover_tests_docs_wheel_and_a_weekly_study():
    called = {path.stem: " ".join(commands(path)) for path in WORKFLOWS}
    for name, target in (
        ("tests", "test"),
        ("tests", "versions"),
        ("docs", "docs"),
        ("wheel", "dist"),
        ("study", "study"),
    ):
        assert f"make {target}" in called[name], name
    weekly = (HOST / "workflows" / "study.yml").read_text(encoding="utf-8")
    assert re.search(r'cron: "\d+ \d+ \* \* \d"', weekly)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_forms_of_issues_have_what_a_host_asks_for(form):
    content = yaml.safe_load(form.read_text(encoding="utf-8"))
    if form.stem == "config":
        assert content == {"blank_issues_enabled": False}
        return
    assert {"name", "description", "body"} <= set(content)
    names = [field["id"] for field in content["body"]]
    assert len(set(names)) == len(names)
    assert all(field["attributes"]["label"] for field in content["body"])


# ---- names, in one place -------------------------------------------------------------


def test_every_file_repeats_the_authors_of_the_citation():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    names = [
        one.get("name") or f"{one['given-names']} {one['family-names']}"
        for one in citation["authors"]
    ]
    paper = yaml.safe_load(PAPER.split("---\n")[1])
    assert [author["name"] for author in paper["authors"]] == names
    assert paper["title"] == citation["title"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert [one["name"] for one in project["project"]["authors"]] == names
    assert citation["version"] == project["project"]["version"]
    assert citation["contact"]


# ---- the paper -----------------------------------------------------------------------


def test_the_paper_has_the_parts_of_the_journal_and_cites_our_references():
    wanted = (
        "Summary", "Statement of need", "State of the field", "Software design",
        "Research impact statement", "AI usage disclosure", "Acknowledgements",
        "References",
    )  # fmt: skip
    assert tuple(re.findall(r"(?m)^# (.+)$", PAPER)) == wanted
    body = PAPER.split("---\n", 2)[2]
    assert 250 <= len(body.split()) <= 1750
    cited = set(re.findall(r"@(\w+)", body))
    entries = (ROOT / "docs" / "paper" / "paper.bib").read_text(encoding="utf-8")
    ours = ROOT / "pycompare" / "reporting" / "references.bib"
    assert set(re.findall(r"(?m)^@\w+\{(\w+),", entries)) == cited
    for entry in entries.strip().split("\n\n"):
        assert entry.strip() in ours.read_text(encoding="utf-8")


# ---- the standards -------------------------------------------------------------------


def standards() -> list[tuple[list[str], str, str]]:
    """Return the numbers, the state and the note of each row."""
    rows = re.findall(r"(?m)^\| ((?:G|RE)\d.*?) \| .*? \| (.*?) \| (.*) \|$", STANDARDS)
    return [(numbers.split(", "), state, note) for numbers, state, note in rows]


def test_each_standard_has_one_row_a_state_and_a_note():
    listed = [number for numbers, _, _ in standards() for number in numbers]
    assert len(set(listed)) == len(listed) > 100
    assert {state for _, state, _ in standards()} == {
        "met", "partly", "not met", "not applicable",
    }  # fmt: skip
    parts = {"G1": 6, "G2": 16, "G3": 1, "G4": 0, "G5": 12}
    parts |= {"RE1": 4, "RE2": 4, "RE3": 3, "RE4": 18, "RE5": 0, "RE6": 3, "RE7": 5}
    wanted = {f"{part}.{n}" for part, last in parts.items() for n in range(last + 1)}
    assert {number.rstrip("abcde") for number in listed} == wanted


def test_files_that_show_a_standard_exist():
    named = [
        path for _, _, note in standards() for path in re.findall(r"`([^`]+)`", note)
    ]
    files = [path for path in named if "/" in path]
    assert len(files) > 40
    assert [path for path in files if not (ROOT / path).is_file()] == []
