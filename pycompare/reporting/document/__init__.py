"""A report as data: blocks that any format can be made of.

Content turns results into a ``Document``; renderers turn a document into bytes. A
document holds values, not text made of them: a table has p-values and intervals at full
precision, a figure can draw itself at any width, and labels are plain strings that each
renderer escapes. Nothing here knows what was analysed.

Examples
--------
>>> from pycompare.reporting.document import Column, Document, Paragraph, Strong, Table
>>> table = Table(
...     "Two algorithms against C.",
...     (Column("Algorithm", "label"), Column("p", "p", alpha=0.05)),
...     (("A", 0.0123), ("B", 3e-7)),
... )
>>> [[cell.text for cell in row] for row in table.cells()]
[['A', '0.012'], ['B', '< 0.001']]
>>> answer = Paragraph((Strong("A and B"), " differ significantly from C."), "answer")
>>> [type(b).__name__ for b in Document("A, B, C", "", (answer, table), "doc").walk()]
['Paragraph', 'Table']
"""

from pycompare.reporting.document.blocks import (
    Attachment,
    Block,
    Bullets,
    Code,
    Document,
    Facts,
    Fold,
    Lead,
    Note,
    Ordering,
    Paragraph,
    Section,
    Table,
    fold,
    present,
    section,
    walk,
)
from pycompare.reporting.document.columns import Cell, Column
from pycompare.reporting.document.figure import Figure
from pycompare.reporting.document.inline import (
    Emphasis,
    Inline,
    Link,
    Literal,
    Span,
    Strong,
    joined,
    plain,
)

__all__ = [
    "Attachment",
    "Block",
    "Bullets",
    "Cell",
    "Code",
    "Column",
    "Document",
    "Emphasis",
    "Facts",
    "Figure",
    "Fold",
    "Inline",
    "Lead",
    "Link",
    "Literal",
    "Note",
    "Ordering",
    "Paragraph",
    "Section",
    "Span",
    "Strong",
    "Table",
    "fold",
    "joined",
    "plain",
    "present",
    "section",
    "walk",
]
