"""Pages of the example's PDF, with its pictures (other modules draw blank ones)."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

import pycompare as pc


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="pdfinfo is not there")
def test_the_pdf_of_the_example_has_ten_pages_at_most(tmp_path):
    found = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    folder = found.report(tmp_path / "out", formats=["pdf"])
    told = subprocess.run(["pdfinfo", folder / "report.pdf"], capture_output=True)
    pages = int(re.search(rb"Pages: +(\d+)", told.stdout)[1])
    assert 3 <= pages <= 10
