"""LaTeX: every block, no character of a label means anything to TeX."""

import re

import pytest
from hypothesis import given

from pycompare.reporting.render import latex
from tests.reporting.render.samples import LABELS, everything, wide

COMMANDS = set(
    "reportchar reportturned reportbreak textbackslash textasciicircum textasciitilde "
    "textless textgreater textbar textquotedbl textquotesingle textasciigrave "
    "textendash textemdash textquoteleft textquoteright textquotedblleft "
    "textquotedblright ldots textperiodcentered textsuperscript times pm leq geq neq "
    "approx infty rightarrow alpha beta delta Delta varepsilon eta theta lambda mu rho "
    "sigma tau chi omega".split()
)


def bare(made):
    """Return LaTeX without what stands for one character."""
    return re.sub(r"\\[\\{}$&#%_]", "", made)


@given(LABELS)
def test_a_label_holds_no_command_but_those_of_characters(label):
    made = latex.escape(label)
    rest = bare(made)
    assert set(re.findall(r"\\([A-Za-z]+|.)", rest)) <= COMMANDS
    assert rest.count("{") == rest.count("}")
    assert not re.search(r"[#%&_~^]", rest.replace("~", "", made.count("~")))
    assert made.isprintable() and len(made.splitlines()) <= 1
    assert not re.search(r"--|,,|<<|>>|``|''", made)
    assert all(c.isascii() or latex._ACCENTED.match(c) for c in made)


def shape(label):
    """Return the commands of a document that are no character's."""
    made = bare(latex.render(everything(label)).decode())
    found = re.findall(r"\\[A-Za-z]+\*?|(?<!\\)&", made)
    return [name for name in found if name.strip("\\*") not in COMMANDS]


@given(LABELS)
def test_no_label_changes_the_commands_of_a_document(label):
    def counted(found):
        return sorted((name, found.count(name)) for name in set(found))

    listed = [r"\noindent", r"\par", r"\hspace"]
    made, plain = (
        [n for n in shape(one) if n not in listed] for one in (label, "zebra")
    )
    assert counted(made) == counted(plain)


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ("a_b & 50%", r"a\_b \& 50\%"),
        ("\\x{}", r"\textbackslash{}x\{\}"),
        ("p ≤ 0.05", r"p $\leq$ 0.05"),
        ("−0.1", "$-$0.1"),
        ("é", "é"),
        ("中", r"\reportchar{4E2D}"),
        ("ש לa", r"\reportturned{05E9,0020,05DC}a"),
        ("a" * 20, r"\reportbreak{}".join(["aaaa"] * 5)),
    ],
)
def test_characters_as_tex_reads_them(value, wanted):
    assert latex.escape(value) == wanted


def test_columns_are_no_wider_than_the_page():
    made = latex.render(wide(20)).decode()
    for spec in re.findall(r"\\begin\{longtable\}\{(.*)\}", made):
        shares = [float(x) for x in re.findall(r"p\{([\d.]+)\\linewidth", spec)]
        assert sum(shares) + 0.02 * (len(shares) - 1) <= 1.0


def test_figures_are_the_files_beside_the_document():
    assert "{figures/f.pdf}" in latex.render(everything("x")).decode()


def test_parts_of_a_table_share_its_number():
    made = latex.render(wide(20)).decode()
    assert made.count(r"\refstepcounter{table}") == 2
    assert r"\textbf{Table~\thetable, part 2 of" in made
