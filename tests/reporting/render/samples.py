"""Documents for tests of renderers: every block, hostile labels."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

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

HOSTILE = (
    "<img src=x onerror=alert(1)>\"'&",
    "&lt;b&gt; &#60;i&#62;",
    "\\input{/etc/passwd}\\write18{id} %~#$^_{}",
    '#import "x.typ": * $x^2$ *b* _i_ `c` @ref <label> //c /* c */ #{1+1} \\u{41}',
    "{\\rtf1\\object\\field{\\*\\fldinst DDEAUTO c:\\\\cmd.exe}} \\par\\'41",
    '=HYPERLINK("http://x.y","z")',
    "+cmd|' /C calc'!A0",
    "'); system('id'); #",
    "**b** _i_ `c` [t](javascript:alert(1)) | a | b | ![](x) ~~s~~",
    "# heading",
    "1. one",
    "- item",
    "> quote",
    "```",
    "www.example.com http://example.com a@b.c",
    "שלום עולם",
    "سلام دنیا",
    "中文标签 日本語 한국어",
    "👩‍🔬🚀😀",
    "abc\u202edef\u2066x\u2069\ufeff",
    "a\u2028b\u2029c\u0085d",
    "é\u0301\u0323 ﬁ Å",
    "x" * 300,
    "long words " * 28,
    "]]> <![CDATA[ <?php ?> --> {{7*7}} ${7*7} <% %>",
    "\ue000 private \U0001f9ff\u0378",
    "–−…“”‚‘’€",
)
"""Labels that would be markup, code or unreadable if anyone took them for it."""

LABELS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(
        st.characters(exclude_categories=["Cs"], min_codepoint=32), min_size=1
    ).filter(str.strip),
    st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=3).map(" ".join),
)


@cache
def picture() -> Figure:
    def draw():
        from pycompare.plotting import style

        return style.new_figure(100, 50).add_axes((0, 0, 1, 1))

    return Figure("f", draw, "A figure.", "Nothing is drawn.")


class Still(Figure):
    """A figure that is drawn once for all tests."""

    drawing = property(lambda self: picture().drawing)
    svg = property(lambda self: picture().svg)

    def png(self, width):
        return _png(width)


@cache
def _png(width: int) -> bytes:
    return picture().png(width)


def everything(label: str) -> Document:
    """Return a document in which a label is wherever one can be."""
    figure = Still("f", picture, label, label)
    table = Table(
        label,
        (Column(label, "label"), Column(label, "p", 0.05), Column(label)),
        ((label, 0.01, label), ("other", 0.5, (Strong(label),))),
    )
    marks = (Strong(label), Emphasis(label), Literal(label), Link(label, "#k1"))
    blocks = (
        Lead((Paragraph(marks, "answer"), Paragraph(label, "method")), figure),
        Note(label, (Bullets((label, marks)),), "caveat"),
        Section(label, (table, Facts(((label, label),))), "k1"),
        OrderingTable(
            label, (label, "b"), (1.0, 2.0), label, ((label, ("member", "passed")),)
        ),
        FoldedSection(label, (Code(f"{label}\n\t{label}", label),), "k2"),
    )
    return Document(label, label, blocks, label)


def wide(n: int, length: int = 40) -> Document:
    """Return a document with a table of ``n`` columns and rows, and an ordering."""
    names = tuple(f"{i:02d}_".ljust(length, "algorithm"[i % 9]) for i in range(n))
    columns = (Column("Algorithm", "label"), *(Column(x, "p", 0.05) for x in names))
    rows = tuple((x, *((i + 1) / (n + 1) for i in range(n))) for x in names)
    groups = tuple(
        (f"group {k + 1}", tuple("member" if i % n == k else "" for i in range(n)))
        for k in range(n)
    )
    values = tuple(float(i) for i in range(n))
    blocks = (
        Table("Many columns.", columns, rows),
        OrderingTable("Many names.", names, values, "mean rank", groups),
    )
    return Document("Wide", "", blocks, "pycompare")
