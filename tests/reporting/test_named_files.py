"""A page names only CSV files that are written beside it."""

from __future__ import annotations

import pandas as pd
import pytest

from pycompare.reporting import document as doc
from pycompare.reporting.content.page import PageResult, Report, in_part

ORIGIN = {
    "date": "2026-01-02T03:04:05+00:00",
    "versions": {"pycompare": "1"},
    "command": None,
    "file": None,
    "plan_file": None,
    "seed": 0,
}
EMPTY = doc.Table("t", (), ())


def page(name: str, place: str) -> str:
    table = doc.Table("t", (), (), file=name)
    shown = (
        {"table": table} if place == "table" else {place: (doc.Paragraph("t"), table)}
    )
    written = {"pairs": pd.DataFrame({"p": [0.5]})}
    results = [
        PageResult(title=title, prefix=f"{title}_", answer="", tables=written, **shown)
        for title in ("error", "auc")
    ]
    report = Report(
        title="t",
        subtitle="",
        results=results,
        scope=(),
        assumptions=(),
        plan=(),
        methods=EMPTY,
        data=(),
        dropped=(),
        origin=ORIGIN,
    )
    return str([*report.details(), report.sensitivity()])


@pytest.mark.parametrize("place", ["table", "firm", "blocks", "sensitivity"])
def test_a_table_whose_file_nobody_writes_is_an_error(place):
    assert "tables/error_pairs.csv" in page("pairs", place)
    with pytest.raises(LookupError, match="no table 'pears' is written"):
        page("pears", place)


def test_files_of_a_part_begin_with_its_prefix():
    table = doc.Table("t", (), (), file="pairs")
    text = doc.Paragraph("t", files=("pairs", "ranks"))
    [section] = in_part("d2_", [doc.section("s", table, text, EMPTY)])
    assert [section.blocks[0].file, section.blocks[2].file] == ["d2_pairs", None]
    assert section.blocks[1].files == ("d2_pairs", "d2_ranks")
