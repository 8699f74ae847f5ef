"""The HTML renderer: every block, every character escaped."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from pycompare.plotting.svg import themed
from pycompare.reporting.document import (
    Bullets,
    Code,
    Column,
    Document,
    Emphasis,
    Facts,
    Figure,
    FoldedSection,
    Lead,
    Link,
    Literal,
    Note,
    OrderingTable,
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


def draw_rows(n):
    axes = draw()
    axes.set_yticks(range(n))
    return axes


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
        OrderingTable(
            text, (text, "b"), (1.0, 2.0), text, ((text, ("member", "passed")),)
        ),
        FoldedSection(text, (Code(text, text),), "k2"),
    )
    return html.page(Document(text, text, blocks, text))


def test_no_label_is_markup():
    plain, evil = Parsed(everything("zebra")), Parsed(everything(EVIL))
    assert [tag for tag, _ in plain.tags] == [tag for tag, _ in evil.tags]
    assert [sorted(a) for _, a in plain.tags] == [sorted(a) for _, a in evil.tags]
    assert evil.text.count(EVIL) == plain.text.count("zebra") > 20


def test_a_significant_p_value_is_strong():
    page = everything("x")
    assert '<td class="n"><strong>0.010</strong></td>' in page
    assert '<td class="n">0.500</td>' in page


def test_each_figure_is_captioned_once():
    parsed = Parsed(everything("x"))
    assert parsed.count("figcaption") == parsed.count("img") == 1


def test_only_the_page_s_own_style_is_allowed_and_no_code():
    page = everything("x")
    tags = Parsed(page).tags
    assert policy_of(tags) == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": hash_of_style(page),
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    names = {name for _, attributes in tags for name in attributes}
    assert not {n for n in names if n == "style" or n.startswith("on")}
    assert "script" not in {tag for tag, _ in tags}


def test_a_page_asks_for_nothing_from_elsewhere():
    tags = Parsed(everything("x")).tags
    loaded = [
        attributes.get("src") or attributes.get("href") or ""
        for tag, attributes in tags
        if tag != "a" and {"src", "href"} & {*attributes}
    ]
    assert loaded and all(one.startswith("data:") for one in loaded)
    assert not {tag for tag, _ in tags} & {"base", "form", "iframe", "object", "embed"}


def policy_of(tags):
    """Return the directives of the page's policy."""
    [content] = [
        a["content"]
        for _, a in tags
        if a.get("http-equiv") == "Content-Security-Policy"
    ]
    return dict(one.strip().split(" ", 1) for one in content.split(";"))


def hash_of_style(page):
    """Return the hash of the one style of a page, as a policy writes it."""
    [content] = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def test_rows_that_are_left_out_are_told():
    rows = tuple((str(i),) for i in range(5))
    columns = (Column("a", "label"),)
    page = page_of(Table("", columns, rows, "tables/a.csv", most=3))
    assert "The first 3 of 5 rows" in page and 'href="tables/a.csv"' in page
    assert "The first" not in page_of(Table("", columns, rows))


def test_long_tables_with_files_begin_on_a_page(monkeypatch):
    rows, columns = tuple((str(i),) for i in range(5)), (Column("a", "label"),)
    filed, alone = Table("", columns, rows, "tables/a.csv"), Table("", columns, rows)
    monkeypatch.setattr(html, "MOST_ROWS", 5)
    assert "The first" not in page_of(filed, alone)
    monkeypatch.setattr(html, "MOST_ROWS", 2)
    page = page_of(filed, Section("s", (alone,), "s"))
    assert page.count("The first 2 of 5 rows") == page.count("The first") == 1
    assert page.count('<th scope="row">4</th>') == 1  # nowhere else than on the page


def test_a_long_program_is_only_in_its_file(monkeypatch):
    program = Code("one\ntwo", "R code", "a&b.R")
    assert "one\ntwo</pre>" in page_of(program)
    monkeypatch.setattr(html, "MOST_CODE", 5)
    link = '<a href="a&amp;b.R" download="">a&amp;b.R</a> (2 lines)'
    assert link in page_of(program) and "</pre>" not in page_of(program)
    assert "one\ntwo</pre>" in page_of(Code("one\ntwo", "R code"))


def test_headings_follow_their_depth():
    inner = Section("c", (), "c")
    page = page_of(Section("a", (FoldedSection("b", (inner,), "b"),), "a"))
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
    monkeypatch.setattr(html, "MOST_PICTURES", 10**6)
    size = len(html.page(document))
    last = html.data_uri(themed(figures[1].page_svgs()[0]))
    monkeypatch.setattr(html, "MOST_BYTES", size - len(last))
    assert Parsed(html.page(document)).count("img") == 1
    # A picture that fits is let in where one before it does not.
    wide = Figure("wide", lambda: draw_rows(90), "caption", "many rows")
    three = Document("t", "s", (figures[0], wide, figures[1]), "g")
    monkeypatch.setattr(html, "MOST_BYTES", 10**6)
    monkeypatch.setattr(html, "MOST_PICTURES", 2 * len(last) + 10)
    found = Parsed(html.page(three))
    assert found.count("img") == 2
    assert ("a", {"href": "figures/wide.svg"}) in found.tags


def test_an_address_holds_every_character_of_a_picture_and_no_other_than_it_may():
    svg = "".join(map(chr, range(0x250))) + "%20%25 é名🙂"
    made = html.data_uri(svg).removeprefix("data:image/svg+xml,")
    assert unquote(made) == re.sub(r"\s*\n\s*", " ", svg)
    assert re.fullmatch(r"(?:[\w ='/;,?!@$*+.~-]|%[0-9A-F]{2})+", made, re.ASCII)


def test_a_picture_of_thousands_of_marks_has_one_width(monkeypatch):
    figure = Figure("one", lambda: draw_rows(5), "caption", "five rows", full=True)
    widths = len(figure.page_svgs())
    document = Document("t", "s", (figure,), "g")
    assert Parsed(html.page(document)).count("img") == widths == 2
    monkeypatch.setattr(html, "_LARGE", 1000)
    assert Parsed(html.page(document)).count("img") == 1
