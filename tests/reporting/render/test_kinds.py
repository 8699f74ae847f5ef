"""Every kind of report conforms to PDF/A-3a and PDF/UA-1; programs can read it.

The quick ones are in every run; ``DOCUMENTS=all`` (``make study``) checks all, in both
styles.
"""

import os
import re
import subprocess
from functools import cache

import numpy as np
import pytest
from matplotlib.ticker import ScalarFormatter

from pycompare.reporting import render
from pycompare.reporting.document import Paragraph, Table, plain
from pycompare.reporting.render import paper
from tests.reporting.render import kinds
from tests.reporting.render.test_pdf import failures

QUICK = ["two_datasets", "cases_binary", "model", "single_modality", "power"]
ALL = os.environ.get("DOCUMENTS") == "all"
NAMES = [*kinds.KINDS, "evidence"] if ALL else QUICK
STYLES = ["page", "statistical-report"] if ALL else ["statistical-report"]


@cache
def made(name, style):
    return kinds.document(name, style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", NAMES)
def test_the_document_conforms(name, style):
    assert failures(made(name, style)) == []


@pytest.mark.parametrize("name", NAMES)
def test_tables_name_files_that_are_there(name):
    document = made(name, STYLES[-1])
    there = {file.name for file in document.files}
    named = [one.file for one in document.walk() if isinstance(one, Table) and one.file]
    without = ("two", "two_datasets", "curves_data_sets", "evidence")
    assert named or name in without
    assert {file.removesuffix(".gz") for file in named} <= there


@pytest.mark.parametrize("name", NAMES)
def test_ticks_of_axes_are_exact_so_that_no_rule_rounds_them(name):
    for figure in made(name, STYLES[-1]).figures():
        for axes in figure.drawing.axes:
            for axis in (axes.xaxis, axes.yaxis):
                found = axis.get_major_formatter()
                places = axis.get_majorticklocs()
                if not isinstance(found, ScalarFormatter) or not len(places):
                    continue
                shown = [one.replace("−", "-") for one in found.format_ticks(places)]
                assert found.get_offset() == ""
                values = [float(one or "nan") for one in shown]
                reach = np.ptp(places) or 1
                assert np.nanmax(np.abs(values - places), initial=0) < 1e-9 * reach


def test_a_picture_fits_the_page_of_each_format():
    """Twenty algorithms make figures that are higher than a page across."""
    for figure in made(NAMES[0], STYLES[0]).figures():
        for widest, highest in [(8.0, 5.2), (1.0, 9.0), (9.0, 1.0)]:
            width = figure.fitted(widest, highest)
            assert width <= min(widest, figure.width)
            assert width * figure.height / figure.width <= highest * (1 + 1e-12)


def squeezed(text):
    return re.sub(r"\s+", "", text)


def starts(document):
    """Yield how headings, tables and long texts begin, in their order."""
    for piece in paper.pieces(document, 88):
        if isinstance(piece, paper.Heading):
            yield piece.text
        elif isinstance(piece, paper.PagedTable | paper.Picture):
            yield f"{piece.label}."
        elif isinstance(piece, Paragraph):
            yield plain(piece.text)[:30]


@pytest.mark.skipif(not ALL, reason="DOCUMENTS=all")
@pytest.mark.parametrize("name", NAMES)
def test_text_is_extracted_in_the_order_of_reading_and_fonts_are_embedded(
    name, tmp_path
):
    document = made(name, "page")
    file = tmp_path / "report.pdf"
    file.write_bytes(render.RENDERERS["pdf"].render(document))
    shown = subprocess.run(
        ["pdftotext", file, "-"], capture_output=True, text=True, check=True
    )
    text, at = squeezed(shown.stdout), 0
    wanted = [squeezed(one) for one in starts(document) if one.isascii()]
    assert len(wanted) > 8
    for one in wanted:
        at = text.index(one, at)
    fonts = subprocess.run(
        ["pdffonts", file], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert fonts and all(line.split()[-5] == "yes" for line in fonts)
