"""Pictures take no letter from the fonts of the machine."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path

import numpy as np
import pytest
from fontTools.subset import Subsetter
from fontTools.ttLib import TTFont
from matplotlib import font_manager

import pycompare as pc
from pycompare.plotting import fonts, style
from pycompare.reporting.render import RENDERERS
from tests.reporting.render.samples import everything

LACKING = "\u6811"
"""A letter that the font of pictures lacks, and that the font below has."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a font of one Chinese letter, which is drawn as an A."""
    path = tmp_path_factory.mktemp("fonts")
    made = TTFont(fonts.font_file())
    cut = Subsetter()
    cut.populate(text="A")
    cut.subset(made)
    for table in made["cmap"].tables:
        table.cmap = {ord(LACKING): "A"}
    for number in (1, 4, 6, 16):
        made["name"].removeNames(number)
        made["name"].setName("Noto Sans CJK SC", number, 3, 1, 0x409)
    made.save(path / "NotoSansCJK-Regular.ttf")
    return path


@pytest.fixture
def install(folder, monkeypatch):
    """Return what installs the font, as far as a process can see."""

    def installed():
        names = "PYCOMPARE_FONTS", "TYPST_FONT_PATHS"
        for name in names:
            monkeypatch.setenv(name, str(folder))
        files = [str(one) for one in folder.iterdir()]
        every = font_manager.findSystemFonts
        monkeypatch.setattr(
            font_manager, "findSystemFonts", lambda *a, **k: [*files, *every(*a, **k)]
        )
        monkeypatch.setattr(
            font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist]
        )
        font_manager.fontManager.addfont(files[0])
        style._width.cache_clear()

    yield installed
    monkeypatch.undo()
    style._width.cache_clear()


def chinese() -> pc.Scores:
    values = np.random.default_rng(2).normal(size=(9, 3, 1))
    names = (f"a{LACKING}", f"{LACKING}b", "c")
    blocks = tuple(f"d{k}{LACKING}" for k in range(9))
    return pc.Scores(values, blocks, names, (pc.Metric(f"u{LACKING}", "higher"),))


def written(folder: Path) -> dict[str, bytes]:
    """Write pictures as every kind of file, and a document in every format."""
    folder.mkdir()
    tested = pc.nemenyi(chinese())
    for name, drawn in (
        ("ranks", pc.plotting.critical_difference(tested)),
        ("heat", pc.plotting.heat_map(chinese())),
    ):
        for kind in ("svg", "png", "pdf", "pgf"):
            pc.plotting.save(drawn, folder / f"{name}.{kind}")
    for kind, form in RENDERERS.items():
        (folder / f"page.{kind}").write_bytes(form.render(everything(LACKING)))
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_files_have_the_same_bytes_whatever_fonts_are_installed(
    install, tmp_path, monkeypatch, capfd
):
    # A letter that is drawn as a box would be a warning, which is an error here.
    monkeypatch.setattr(style, "quiet_glyphs", contextlib.nullcontext)
    before = written(tmp_path / "before")
    install()
    after = written(tmp_path / "after")
    assert [name for name in before if before[name] != after[name]] == []
    assert len(before) == 8 + len(RENDERERS)
    assert "findfont" not in capfd.readouterr().err
    for name in ("ranks.svg", "heat.svg"):
        assert LACKING.encode() not in after[name] and b"[U+6811]" in after[name]
    made = tmp_path / "after" / "page.pdf"
    ran = subprocess.run(["pdffonts", made], capture_output=True, text=True, check=True)
    assert "DejaVu" in ran.stdout and "Noto" not in ran.stdout
    ran = subprocess.run(["pdftotext", made, "-"], capture_output=True, text=True)
    assert "[U+6811]" in ran.stdout and LACKING not in ran.stdout
    assert rb"\reportchar{6811}" in after["page.latex"]


def test_measures_of_labels_do_not_depend_on_fonts_either(install):
    before = style.text_width(f"a{LACKING}")
    install()
    assert style.text_width(f"a{LACKING}") == before
    assert style.printable(f"a{LACKING}é") == "a[U+6811]é"


def test_a_character_without_a_bold_letter_is_a_code_point():
    # A control is written in bold, and DejaVu has this letter in its regular cut only.
    assert style.printable("\U0001d5a0") == "[U+1D5A0]"
    assert style.printable("é😀") == "é😀"
