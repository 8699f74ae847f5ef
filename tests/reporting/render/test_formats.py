"""Formats are chosen by name, for every kind of report, and refused at the door."""

import pytest
from click.testing import CliRunner

import pycompare as pc
from pycompare.apps import cli
from pycompare.reporting import render

EXAMPLE = str(pc.example_path())
COMPARE = ["compare", EXAMPLE, "--wide", "--metric", "accuracy:higher"]


@pytest.fixture(scope="module")
def comparison():
    return pc.compare(pc.example(), pc.Plan(blocks="datasets"))


@pytest.mark.slow
def test_two_reports_of_one_date_have_a_file_of_each_format_and_the_same_bytes(
    comparison, tmp_path, monkeypatch
):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    held = []
    for name in ("one", "other"):
        folder = pc.report(comparison, tmp_path / name, formats=list(render.RENDERERS))
        files = (path for path in folder.rglob("*") if path.is_file())
        held.append({p.relative_to(folder): p.read_bytes() for p in files})
    for document in render.RENDERERS.values():
        assert (folder / f"report.{document.ending}").stat().st_size > 5000
    assert len(held[0]) > 20
    assert held[0] == held[1]


def test_a_report_without_the_page_has_its_numbers_all_the_same(comparison, tmp_path):
    folder = pc.report(comparison, tmp_path / "out", formats=["md", "md"])
    assert not (folder / "report.html").exists()
    assert (folder / "results.json").exists() and (folder / "report.md").exists()


@pytest.mark.parametrize("formats", [["htm"], [], ["md", "word"]])
def test_what_cannot_be_written_is_refused_first(comparison, tmp_path, formats):
    with pytest.raises(pc.InputError, match=r"formats.* choose from html, docx"):
        pc.report(comparison, tmp_path / "out", formats=formats)
    assert not (tmp_path / "out").exists()


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    made = render.DocumentFormat(
        "x", render.text.render, module="none_such", extra="docx"
    )
    monkeypatch.setattr(render, "RENDERERS", {"x": made})
    with pytest.raises(pc.InputError) as refused:
        render.check_formats(["x"])
    assert "pip install '.[docx]'" in str(refused.value)


def test_the_command_takes_formats_with_commas(tmp_path):
    out = tmp_path / "out"
    words = [*COMPARE, "--out", str(out), "--format", "text, md"]
    result = CliRunner().invoke(cli.cli, words)
    assert result.exit_code == 0, result.output
    assert f"Report: {out / 'report.txt'}" in result.output
    assert sorted(p.name for p in out.glob("report.*")) == ["report.md", "report.txt"]


def test_a_wrong_format_ends_the_command_before_it_begins(
    tmp_path, capsys, monkeypatch
):
    words = [*COMPARE, "--out", str(tmp_path / "out"), "--format", "markdwn"]
    monkeypatch.setattr("sys.argv", ["pycompare", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 2 and not said.out
    assert "--format" in said.err and "html, docx" in said.err
