"""A certificate says what its report says, and ``verify`` names what it does not."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET

import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import listed
from pycompare.reporting.evidence.certified import certified, files_of_certificate
from tests.reporting.evidence.reports import HOSTILE

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.fixture(scope="module")
def made(reports, tmp_path_factory):
    """Return the report and certificate of two metrics with hostile labels."""
    report = reports("hostile")
    return report, pc.certificate(report, tmp_path_factory.mktemp("c") / "certificate")


@pytest.fixture
def copied(made, tmp_path):
    report, folder = made
    return report, shutil.copytree(folder, tmp_path / "certificate")


def held(folder):
    return json.loads((folder / "certificate.json").read_text())


def test_it_holds_the_rank_sets_of_the_report(made):
    report, folder = made
    results = json.loads((report / "results.json").read_text())
    rankings = held(folder)["rankings"]
    assert [one["metric"] for one in rankings] == list(results["rank_sets"])
    for one in rankings:
        own = results["rank_sets"][one["metric"]]
        assert one["ranks"] == own["table"] and one["tiers"] == own["tiers"]
        assert one["may_be_best"] == own["may_be_best"]
        assert one["error_rate"] == own["error_rate"] and "alpha" in own["error_rate"]
        assert one["better"] == results["data"]["metrics"][one["metric"]]


def test_its_hashes_are_those_of_the_manifest(made):
    report, folder = made
    manifest = json.loads((report / "manifest.json").read_text())
    found = held(folder)
    assert found["inputs"] == manifest["inputs"]
    assert found["plan"]["sha256"] == manifest["plan"]["sha256"]
    outputs = manifest["outputs"]["results.json"]["sha256"]
    assert found["report"]["results_sha256"] == outputs
    assert found["report"]["manifest_sha256"] == pc.verify(report).manifest_sha256


def test_labels_are_data_on_page_and_badges(made):
    _, folder = made
    page = (folder / "certificate.html").read_text(encoding="utf-8")
    assert "<b>" not in page and "&lt;b&gt;" in page
    names = {row["algorithm"] for row in held(folder)["rankings"][0]["ranks"]}
    assert names == set(HOSTILE)
    badges = sorted(folder.glob("*.svg"))
    assert [one.name for one in badges] == ["badge1.svg", "badge2.svg"]
    for badge, one in zip(badges, held(folder)["rankings"], strict=True):
        root = ET.fromstring(badge.read_text(encoding="utf-8"))
        title = root.findtext("{*}title")
        assert listed(one["may_be_best"]) in title
        assert {element.tag.partition("}")[2] for element in root.iter()} == {
            "svg", "title", "rect", "g", "text",
        }  # fmt: skip


def test_few_names_are_on_the_badge(tmp_path):
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    report = pc.report(comparison, tmp_path / "report")
    folder = pc.certificate(report, tmp_path / "certificate")
    badge = (folder / "badge.svg").read_text(encoding="utf-8")
    assert ">C4.5, NaiveBayes (of 5)</text>" in badge
    assert ">may be best in accuracy</text>" in badge


@pytest.mark.parametrize("alone", [False, True])
def test_a_certificate_passes_with_its_report(made, alone):
    report, folder = made
    path = folder / "certificate.json" if alone else folder
    assert pc.verify(report, certificate=path).passed


TAMPERED = {
    "rankings/0/ranks/0/rank_high": lambda c: c["rankings"][0]["ranks"][0].update(
        rank_high=1
    ),
    "rankings/1/better": lambda c: c["rankings"][1].update(better="upper"),
    "report/manifest_sha256": lambda c: c["report"].update(manifest_sha256="0"),
    "plan/settled/alpha": lambda c: c["plan"]["settled"].update(alpha=0.5),
    "rankings/0/may_be_best/7": lambda c: c["rankings"][0]["may_be_best"].extend("xy"),
    "note": lambda c: c.update(note="best of all"),
}


@pytest.mark.parametrize("place", TAMPERED)
def test_a_changed_value_is_named(copied, place):
    report, folder = copied
    found = held(folder)
    TAMPERED[place](found)
    (folder / "certificate.json").write_text(json.dumps(found, indent=1))
    problems = pc.verify(report, certificate=folder).problems
    assert any(p.place.startswith(place) for p in problems), problems
    assert {p.what for p in problems} == {"certificate"}


def test_changed_missing_and_added_files_are_named(copied, pycompare):
    report, folder = copied
    page = folder / "certificate.html"
    page.write_text(page.read_text().replace("May be best", "Is best"))
    (folder / "badge1.svg").unlink()
    (folder / "badge3.svg").write_text("<svg/>")
    status, out, _ = pycompare("verify", report, "--certificate", folder, "--json")
    assert status == 1
    assert [(p["file"], p["what"]) for p in json.loads(out)["problems"]] == [
        ("badge1.svg", "missing"),
        ("badge3.svg", "added"),
        ("certificate.html", "certificate"),
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": {}}', "[" * 9999])
def test_a_certificate_that_is_none_is_a_problem(copied, text):
    report, folder = copied
    (folder / "certificate.json").write_text(text)
    found = pc.verify(report, certificate=folder / "certificate.json")
    assert {p.file for p in found.problems} == {"certificate.json"}


def test_a_certificate_of_another_report_does_not_pass(made, tmp_path):
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    other = pc.report(comparison, tmp_path / "other")
    assert not pc.verify(other, certificate=made[1]).passed


def test_what_has_no_certificate_is_refused(reports, tmp_path):
    with pytest.raises(InputError, match="no confidence sets of ranks"):
        comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets", control="CN2"))
        report = pc.report(comparison, tmp_path / "control")
        pc.certificate(report, tmp_path / "certificate")
    with pytest.raises(InputError, match="certificates are made of"):
        pc.certificate(reports("model"), tmp_path / "certificate")
    with pytest.raises(InputError, match="no manifest"):
        pc.certificate(tmp_path, tmp_path / "certificate")
    with pytest.raises(InputError, match="holds no certificate"):
        pc.verify(report, certificate=tmp_path / "none")
    (report / "results.json").write_text("{}")
    with pytest.raises(InputError, match="not as it was written"):
        pc.certificate(report, tmp_path / "certificate")
    assert not (tmp_path / "certificate").exists()


def test_only_a_certificate_is_replaced(made, tmp_path, pycompare):
    report, _ = made
    target = tmp_path / "certificate"
    arguments = ("certificate", report, "--out", target)
    status, out, _ = pycompare(*arguments)
    assert status == 0 and "certificate.html" in out
    status, _, err = pycompare(*arguments)
    assert status == 2 and "--overwrite" in err
    assert pycompare(*arguments, "--overwrite")[0] == 0
    (target / "certificate.json").write_text("{}")
    status, _, err = pycompare(*arguments, "--overwrite")
    assert status == 2 and "left unchanged" in err


def test_groups_have_a_ranking_each(reports, tmp_path):
    folder = pc.certificate(reports("groups"), tmp_path / "certificate")
    groups = [one["group"] for one in held(folder)["rankings"]]
    assert groups == ["x", "x", "y", "y"]


def test_the_page_shows_settings_that_are_zero(made):
    """A seed of 0 was taken for a setting that is off."""
    report, _ = made
    content = certified(report)
    content["plan"]["settled"] |= {"seed": 0, "blind": False}
    page = files_of_certificate(content)["certificate.html"].decode()
    assert "<dt>seed</dt>" in page and "<dt>blind</dt>" not in page
