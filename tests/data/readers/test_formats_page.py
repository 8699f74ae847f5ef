"""The page of result files: made from the readers' declarations."""

import pytest

from docs.formats import CHOICES, formats
from pycompare.data.readers.known import FORMAT_NAMES, all_formats
from tests.documents import DOCS, Page


def test_the_list_of_names_is_that_of_the_formats():
    assert tuple(all_formats()) == FORMAT_NAMES


@pytest.mark.parametrize("kind", all_formats().values(), ids=list(all_formats()))
def test_every_format_is_on_the_page_with_its_trap(kind):
    page = formats()
    assert f"## {kind.program}: `{kind.name}`" in page
    for text in (kind.files, kind.columns, kind.block, kind.metrics, kind.trap):
        assert text and text in page
    assert set(kind.takes) <= set(CHOICES)


def test_the_page_includes_the_list():
    kinds = [block.kind for block in Page(DOCS / "result_files.md").blocks()]
    assert "{result-formats}" in kinds
