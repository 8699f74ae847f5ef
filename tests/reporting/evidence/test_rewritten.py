"""``verify --recompute`` writes the report again: no file agrees that was forged."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.blinding import key_path
from pycompare.reporting import rewritten
from pycompare.reporting.evidence.manifest import file_entry
from pycompare.reporting.provenance import versions
from validation.checks.models import designed

pytestmark = pytest.mark.usefixtures("blank_pictures")

FORGED = {
    "report.html": (r"</p>", " Forged.</p>"),
    "tables/metric1_pairs.csv": (r"\n([^\n]*)$", r"\n\1\n"),
    "figures/metric1_distributions.svg": (r"<path ", '<path class="forged" '),
    "reproduce.R": (r"^", "quit()\n"),
    "data/scores.csv": (r"0\.", "0.1"),
}
PLAN = pc.Plan(blocks="datasets")


@pytest.fixture
def folder(reports, tmp_path):
    return shutil.copytree(reports("folds"), tmp_path / "report")


def forge(folder, name, content: bytes | None) -> None:
    """Put a file into a folder and its hash into the manifest; None takes it away."""
    held = json.loads((folder / "manifest.json").read_text())
    if content is None:
        (folder / name).unlink()
        del held["outputs"][name]
    else:
        (folder / name).write_bytes(content)
        held["outputs"][name] = file_entry(name, content)
    (folder / "manifest.json").write_text(json.dumps(held))
    assert pc.verify(folder).passed


def problems(folder, **options) -> set[tuple[str, str]]:
    found = pc.verify(folder, recompute=True, **options)
    return {(one.file, one.what) for one in found.problems}


def test_every_kind_of_file_of_the_list_is_there(folder):
    for name, (pattern, _) in FORGED.items():
        assert re.search(pattern, (folder / name).read_text())


@pytest.mark.parametrize("name", FORGED)
def test_a_file_that_was_forged_with_its_hash_is_found(folder, name):
    pattern, new = FORGED[name]
    text = (folder / name).read_text()
    changed = re.sub(pattern, new, text, count=1)
    if name == "tables/metric1_pairs.csv":  # one digit of one number
        changed = re.sub(r"(\d)(\.\d+)\n", lambda m: f"9{m[2]}\n", text, count=1)
    assert changed != text
    forge(folder, name, changed.encode())
    found = problems(folder)
    if name.startswith("data/"):  # all else is made from the data
        assert {("results.json", "recomputed"), ("report.html", "recomputed")} <= found
    else:
        assert found == {(name, "recomputed")}


def test_the_last_digit_of_a_page_is_found(folder):
    text = (folder / "report.html").read_text()
    at = re.search(r"p\s=\s0\.\d\d", text).end() - 1
    other = str((int(text[at]) + 1) % 10)
    forge(folder, "report.html", (text[:at] + other + text[at + 1 :]).encode())
    [problem] = pc.verify(folder, recompute=True).problems
    assert str(problem).startswith(
        "report.html does not agree with the analysis made again: line "
    )


def test_files_that_came_or_went_with_their_hashes_are_found(folder):
    forge(folder, "tables/forged.csv", b"x\n1\n")
    forge(folder, "tables/metric1_means.csv", None)
    assert problems(folder) == {
        ("tables/forged.csv", "recomputed"),
        ("tables/metric1_means.csv", "recomputed"),
    }


def test_what_the_manifest_says_of_the_analysis_is_made_again(folder):
    path = folder / "manifest.json"
    held = json.loads(path.read_text())
    held["decisions"][1]["decided"] = "as planned"
    path.write_text(json.dumps(held))
    [problem] = pc.verify(folder, recompute=True).problems
    assert problem.place.startswith("decisions/1/decided is 'as planned', made again")


def test_an_unsigned_report_says_what_nobody_can_vouch_for(folder):
    assert "can write a manifest that agrees" in pc.verify(folder).summary()


# ---- other software ------------------------------------------------------------------


def test_with_other_versions_numbers_are_compared_and_it_says_so(folder, monkeypatch):
    forge(folder, "report.html", b"another version writes another page")
    monkeypatch.setattr(rewritten, "versions", lambda: versions() | {"numpy": "9.9.9"})
    found = pc.verify(folder, recompute=True)
    assert found.passed
    assert "Not compared: pages, figures and reproduce.R" in found.summary()
    assert "(here 9.9.9)" in found.again.not_compared
    name = "tables/metric1_pairs.csv"
    text = (folder / name).read_text()
    forge(folder, name, text.replace(",-0.0", ",-0.1", 1).encode())
    assert problems(folder) == {(name, "recomputed")}


def test_another_platform_alone_changes_nothing(folder, monkeypatch):
    monkeypatch.setattr(rewritten, "versions", lambda: versions() | {"platform": "x"})
    found = pc.verify(folder, recompute=True)
    assert found.passed and not found.again.not_compared
    forge(folder, "report.html", b"<p>forged</p>")
    assert problems(folder) == {("report.html", "recomputed")}


def test_formats_and_r_that_are_missing_here_are_named(tmp_path, monkeypatch):
    scores = pc.example().select(algorithms=["C4.5", "CN2"])
    comparison = pc.compare(scores, PLAN)
    options = {"formats": ["md", "docx"], "cross_check": True, "paper": True}
    folder = pc.report(comparison, tmp_path / "r", **options, rounding="half-away")
    assert pc.verify(folder, recompute=True).passed
    document = io.BytesIO()
    with (
        zipfile.ZipFile(folder / "report.docx") as old,
        zipfile.ZipFile(document, "w") as new,
    ):
        for part in old.namelist():
            content = old.read(part).replace(b"Wilcoxon", b"Wilcoxen")
            new.writestr(part, content)
    forge(folder, "report.docx", document.getvalue())
    [problem] = pc.verify(folder, recompute=True).problems
    assert (problem.file, problem.place) == ("report.docx", "word/document.xml")

    real = rewritten.is_available
    monkeypatch.setattr(
        rewritten, "is_available", lambda one: one.ending != "docx" and real(one)
    )
    monkeypatch.setenv("PATH", "/nonexistent")
    found = pc.verify(folder, recompute=True)
    assert found.passed, found.summary()
    assert found.again.not_compared == (
        "Not compared: the cross-check and the documents that show it (R is missing); "
        "docx (what writes these formats is not installed)."
    )


# ---- what a folder cannot say again --------------------------------------------------


def test_a_blinded_folder_keeps_its_codes_and_needs_no_key(tmp_path):
    plan = pc.Plan(blocks="datasets", blind=True)
    folder = pc.report(pc.compare(pc.example(), plan), tmp_path / "blinded")
    key_path(folder).rename(tmp_path / "elsewhere.json")
    found = pc.verify(folder, recompute=True)
    assert found.passed, found.summary()
    assert not key_path(folder).exists()
    text = (folder / "report.html").read_text()
    forge(folder, "report.html", text.replace("Algorithm 1", "Algorithm 9").encode())
    assert problems(folder) == {("report.html", "recomputed")}


def test_rows_that_a_model_left_out_are_still_told_of(tmp_path):
    frame = designed(1)
    frame.loc[3, "error"] = np.nan
    for method in ("auto", "reml"):
        model = pc.linear_model(
            frame, "error ~ learner * prep", within="data", missing="drop-row",
            method=method,
        )  # fmt: skip
        folder = pc.report(model, tmp_path / method)
        found = pc.verify(folder, recompute=True)
        assert found.passed, found.summary()
    path = folder / "manifest.json"
    held = json.loads(path.read_text())
    held["data"]["parts"]["notes"] = ["nothing was left out"]
    path.write_text(json.dumps(held))
    assert ("report.html", "recomputed") in problems(folder)
