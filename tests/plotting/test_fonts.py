"""Characters that the font of all pictures lacks are shown in a font of the machine."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont

import pycompare as pc
from pycompare.plotting import fonts, style

SHOWN, LACKING = "\u6811", "\u9f98"
"""One that the font below has, and one that no font here has."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a font of one Chinese letter, which is drawn as an A."""
    path = tmp_path_factory.mktemp("fonts")
    made = TTFont(style.font_file())
    cut = Subsetter()
    cut.populate(text="A")
    cut.subset(made)
    for table in made["cmap"].tables:
        table.cmap = {ord(SHOWN): "A"}
    for number, name in ((1, "PcTest"), (4, "PcTest"), (6, "PcTest"), (16, "PcTest")):
        made["name"].removeNames(number)
        made["name"].setName(name, number, 3, 1, 0x409)
    made.save(path / "test.ttf")
    (path / "broken.ttf").write_bytes(b"no font")
    return path


@pytest.fixture
def with_font(folder, monkeypatch):
    monkeypatch.setenv(fonts.FOLDERS, str(folder))
    style._width.cache_clear()
    yield
    style._width.cache_clear()


def chinese() -> pc.Comparison:
    values = np.random.default_rng(2).normal(size=(9, 3, 1))
    names = (f"a{SHOWN}", f"b{LACKING}", "c")
    blocks = tuple(f"d{k}" for k in range(9))
    scores = pc.Scores(values, blocks, names, (pc.Metric("u", "higher"),))
    return pc.compare(scores, pc.Plan(blocks="datasets"))


def test_without_such_a_font_characters_are_code_points(monkeypatch, tmp_path):
    monkeypatch.setattr(fonts, "_of_machine", tuple)
    monkeypatch.setenv(fonts.FOLDERS, str(tmp_path))
    assert style.printable(f"a{SHOWN}b") == "a[U+6811]b"


def test_a_font_of_the_users_folder_is_used(with_font, monkeypatch):
    monkeypatch.setattr(fonts, "_of_machine", tuple)
    assert style.printable(f"a{SHOWN}{LACKING}é") == f"a{SHOWN}[U+9F98]é"
    assert style.text_width(SHOWN) == pytest.approx(style.text_width("A"))
    assert fonts.fallback_of("é") is None


def test_pictures_and_pdf_show_the_character(with_font, tmp_path, capfd):
    made = pc.report(chinese(), tmp_path / "r", formats=("html", "pdf", "latex"))
    ran = ["pdffonts", str(made / "report.pdf")]
    told = subprocess.run(ran, capture_output=True, text=True, check=True).stdout
    assert "PcTest" in told
    text = subprocess.run(
        ["pdftotext", str(made / "report.pdf"), "-"], capture_output=True, text=True
    ).stdout
    assert f"a{SHOWN}" in text and "U+9F98" in text and "U+6811" not in text
    assert r"\reportchar{6811}" in (made / "report.tex").read_text()
    assert "findfont" not in capfd.readouterr().err
