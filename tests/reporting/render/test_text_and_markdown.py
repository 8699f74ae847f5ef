"""Plain text and Markdown: every block, no character of a label is markup."""

import re
import unicodedata

import pytest
from hypothesis import example, given

from pycompare.reporting.document import Strong
from pycompare.reporting.render import markdown, paper, text
from tests.reporting.render.samples import HOSTILE, LABELS, everything, wide

CODE = re.compile(r"\\.|(`+)(?!`).*?(?<!`)\1(?!`)")
"""Escaped characters, and text between as many backticks."""
STARTS = re.compile(r"(#+ |- |> |<a id=|!\[|\*\*(?:Table|Figure) \d+\.\*\*|`{3,}|\| )?")
BARE = re.compile(r"(?<!\\)(?:\\\\)*[|]")


def words(value):
    return "".join(paper.visible(value).split())


@given(LABELS)
def test_plain_text_has_the_label_wherever_it_belongs(label):
    made = text.render(everything(label)).decode()
    squeezed = "".join(c for c in made if not c.isspace())
    assert squeezed.count(words(label)) >= 12
    kinds = {unicodedata.category(c) for line in made.split("\n") for c in line}
    assert not kinds & {"Cc", "Cs", "Zl", "Zp"}


@pytest.mark.parametrize("n", [2, 20])
def test_lines_of_plain_text_fit(n):
    lines = text.render(wide(n)).decode().splitlines()
    assert max(map(paper.columns_of, lines)) <= text.WIDTH


def test_what_is_bold_has_a_star():
    made = text.render(everything("x")).decode()
    assert "0.010*" in made and "0.500*" not in made and text.STARS in made


def shape(made):
    """Return what each line of Markdown is, whatever its words."""
    kinds = []
    for line in made.split("\n"):
        start = STARTS.match(line)[0]
        pipes = len(BARE.findall(line)) if start == "| " else 0
        kinds.append((re.sub("`+", "`", start), pipes))
    return kinds


def without_code(made):
    fence = re.search(r"(?m)^(`{3,})\n", made)
    return re.sub(rf"(?s)\n{fence[1]}\n.*?\n{fence[1]}\n", "", made)


@given(LABELS)
@example("<?```")
@example("\\`<b>`")
def test_no_label_changes_the_shape_of_markdown(label):
    made = without_code(markdown.render(everything(label)).decode())
    plain = without_code(markdown.render(everything("zebra")).decode())
    assert shape(made) == shape(plain)
    bare = CODE.sub("", re.sub(r"<a id=\"k\d\"></a>|\]\(<[^>]*>\)", "", made))
    assert not re.search(r"<[A-Za-z/!?]", bare)


@pytest.mark.parametrize("label", HOSTILE)
def test_text_between_backticks_ends_where_it_should(label):
    made = markdown._code(paper.visible(label))
    fence = re.match("`+", made)[0]
    assert fence not in made[len(fence) : -len(fence)]


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("p < 0.05", "p < 0.05"),
        ("<b>", "&lt;b>"),
        ("AT&T", "AT&amp;T"),
        ("A & B", "A & B"),
        ("# x", "\\# x"),
        ("1. x", "1\\. x"),
        ("1.5 x", "1.5 x"),
        ("a|b", "a\\|b"),
        ("www.a.b http://c", "www\\.a.b http\\://c"),
        ((Strong("a*"), " b"), "**a\\*** b"),
    ],
)
def test_only_what_could_be_markup_is_escaped(value, wanted):
    assert markdown.text(value) == wanted
