"""The HTML renderer: every block, every character escaped."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import pytest

from pycompare.reporting.document import (
    Bullets,
    Code,
    Column,
    Document,
    Emphasis,
    Facts,
    Figure,
    Fold,
    Lead,
    Link,
    Literal,
    Note,
    Ordering,
    Paragraph,
    Section,
    Strong,
    Table,
)
from pycompare.reporting.render import html

EVIL = "<img src=x onerror=alert(1)>\"'&"


class Parsed(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def count(self, tag):
        return sum(name == tag for name, _ in self.tags)


def draw():
    from pycompare.plotting import style

    figure = style.new_figure(100, 50)
    return figure.add_axes((0, 0, 1, 1))


def page_of(*blocks):
    return html.page(Document("t", "s", blocks, "g"))


def everything(text):
    table = Table(
        text,
        (Column(text, "label"), Column(text, "p", 0.05), Column(text)),
        ((text, 0.01, text), ("other", 0.5, (Strong(text),))),
    )
    figure = Figure("f", draw, text, text)
    marks = (Strong(text), Emphasis(text), Literal(text), Link(text, "#k1"))
    blocks = (
        Lead((Paragraph(marks, "answer"),), figure),
        Note(text, (Bullets((text, marks)),), "caveat"),
        Section(text, (table, Facts(((text, text),))), "k1"),
        Ordering(text, (text, "b"), (1.0, 2.0), text, ((text, ("member", "passed")),)),
        Fold(text, (Code(text, text),), "k2"),
    )
    return html.page(Document(text, text, blocks, text))


def test_no_label_is_markup():
    plain, evil = Parsed(everything("zebra")), Parsed(everything(EVIL))
    assert [tag for tag, _ in plain.tags] == [tag for tag, _ in evil.tags]
    assert [sorted(a) for _, a in plain.tags] == [sorted(a) for _, a in evil.tags]
    assert evil.text.count(EVIL) == plain.text.count("zebra") > 20


def test_a_significant_p_value_is_strong_and_sorted_by_its_value():
    page = everything("x")
    assert '<td class="n" data-v="0.01"><strong>0.010</strong></td>' in page
    assert '<td class="n" data-v="0.5">0.500</td>' in page


def test_each_figure_is_captioned_once():
    parsed = Parsed(everything("x"))
    assert parsed.count("figcaption") == parsed.count("img") == 1


def test_only_the_page_s_own_code_may_run():
    page = everything("x")
    code = re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = next(
        a["content"]
        for _, a in Parsed(page).tags
        if a.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy


def test_rows_that_are_left_out_are_told():
    rows = tuple((str(i),) for i in range(5))
    columns = (Column("a", "label"),)
    page = page_of(Table("", columns, rows, "tables/a.csv", most=3))
    assert "The first 3 of 5 rows" in page and 'href="tables/a.csv"' in page
    assert "The first" not in page_of(Table("", columns, rows))


def test_headings_follow_their_depth():
    inner = Section("c", (), "c")
    page = page_of(Section("a", (Fold("b", (inner,), "b"),), "a"))
    assert re.findall(r"<h(\d)>(\w)<", page) == [
        *(("1", "t"), ("2", "a"), ("3", "b"), ("4", "c")),
    ]


def test_an_unknown_block_is_refused():
    with pytest.raises(TypeError, match="no HTML for int"):
        page_of(3)


def test_a_page_holds_so_many_pictures_and_links_the_others(monkeypatch):
    figures = tuple(Figure(name, draw, "caption", EVIL) for name in ("one", "two"))
    document = Document("t", "s", figures, "g")
    assert Parsed(html.page(document)).count("img") == 2
    monkeypatch.setattr(html, "MOST_PICTURES", 10)
    found = Parsed(html.page(document))
    assert found.count("img") == 1
    assert ("a", {"href": "figures/two.svg"}) in found.tags
    assert EVIL in found.text
    # The room is that of one page.
    assert Parsed(html.page(document)).count("img") == 1
