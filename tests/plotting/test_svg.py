"""Shorter SVG is the same picture: each element, colour, text and coordinate."""

import io
import re
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting
from pycompare.plotting import style
from pycompare.plotting.svg import compact, themed
from tests.plotting.looking import random_scores

HOSTILE = ('style="fill: red" 12.3456', " M 98.7654 L 1.5 ", "DejaVuSans-24 <!--x", "z")


def of_matplotlib(figure):
    """Write a figure as Matplotlib does, without metadata."""
    file = io.StringIO()
    paths = matplotlib.rc_context({"svg.fonttype": "path"})
    with style.context(), paths, style.quiet_glyphs():
        figure.savefig(file, format="svg", metadata={"Date": None})
    return re.sub("<metadata>.*?</metadata>", "", file.getvalue(), flags=re.DOTALL)


@pytest.fixture(scope="module", params=["p_matrix", "profiles", "distributions"])
def both(request):
    """A picture as Matplotlib writes it, and in fewer bytes."""
    scores = random_scores(40, len(HOSTILE), names=list(HOSTILE))
    ax = {
        "p_matrix": lambda: plotting.p_matrix(pc.nemenyi(scores)),
        "profiles": lambda: plotting.performance_profiles(scores),
        "distributions": lambda: plotting.distributions(scores),
    }[request.param]()
    long = of_matplotlib(ax.figure)
    return long, compact(long)


def elements(svg):
    """Return tag, attributes (styles in full) and numbers of each element."""
    rules = dict(re.findall(r"\.(s\w+)\{(.*?)\}", svg))
    return [one(node, rules) for node in ElementTree.fromstring(svg.encode()).iter()]


def one(node, rules):
    named = {key.split("}")[-1]: value for key, value in node.attrib.items()}
    named["style"] = named.get("style") or rules.get(named.pop("class", ""), "")
    moved = re.fullmatch(r"translate\((\S+) 0\)", named.get("transform", ""))
    if moved:
        del named["transform"]
        named["x"] = moved[1]
    places = [numbers(named.pop(key, "")) for key in ("d", "x", "y", "transform")]
    named = {key: value.replace("DejaVuSans-", "g") for key, value in named.items()}
    drawn = {"width", "height", "viewBox"}
    size = [numbers(named.pop(key, "")) for key in sorted(drawn)]
    return node.tag, named, np.concatenate([*places, *size])


RECTANGLE = re.compile(r"M (\S+) ([^\sH]+)H([^V]+)V([^H]+)H([^z]+)z")
CLOSED = re.compile(r"(M (\S+) ([^\sL]+)[^M]*?) ?L ?\2 \3 ?z")


def numbers(text):
    """Return the numbers of an attribute; a path is closed by its end alone."""
    text = RECTANGLE.sub(r"M \1 \2L\3 \2L\3 \4L\5 \4z", text)
    text = CLOSED.sub(r"\1z", re.sub(r"\s+", " ", text))
    return np.array(re.findall(r"-?[\d.]+", text), dtype=float)


def test_elements_styles_and_places_are_the_same(both):
    long, short = map(elements, both)
    assert [(tag, named) for tag, named, _ in long] == [
        (tag, named) for tag, named, _ in short
    ]
    for (tag, _, wanted), (_, _, found) in zip(long, short, strict=True):
        assert wanted == pytest.approx(found, rel=0, abs=0.0101), tag


def test_texts_in_comments_stay_as_they_are(both):
    long, short = (re.findall("<!--.*?-->", svg, re.DOTALL) for svg in both)
    assert long == short
    assert any("12.3456" in text for text in long)


def test_labels_that_look_like_rules_stay_as_they_are():
    """Letters as text: no rule about colours, fonts and numbers changes a label."""
    names = ["#000000 12.3456", "font-family: 'DejaVu Sans'", 'a style="fill: red"',
             "</text><!--", " transform=\"rotate(-0 1)\""]  # fmt: skip
    ax = plotting.mean_ranks(pc.nemenyi(random_scores(9, 5, names=names)))
    svg = style.to_svg(ax.figure, letters="text")
    for shown in (svg, themed(svg)):
        texts = [node.text for node in ElementTree.fromstring(shown).iter()]
        assert {*(name.strip() for name in names)} <= {*texts}
    styles = "".join(re.findall("<style.*?</style>", themed(svg), re.DOTALL))
    assert "Arial" in svg and "system-ui" in styles and "DejaVu" not in styles


def test_letters_as_text_take_half_of_the_bytes():
    ax = plotting.heat_map(pc.example())
    paths, text = (style.to_svg(ax.figure, letters=k) for k in ("paths", "text"))
    assert len(text) < 0.5 * len(paths)


def test_a_picture_of_many_cells_is_much_shorter():
    ax = plotting.p_matrix(pc.nemenyi(random_scores(10, 9)))
    long = of_matplotlib(ax.figure)
    assert len(style.to_svg(ax.figure)) < 0.65 * len(long)


def test_small_numbers_and_scales_keep_their_digits():
    text = '<g transform="translate(12.34567 3.456789) scale(0.047387 -0.047387)"/>'
    short = '<g transform="translate(12.34 3.456789) scale(0.047387 -0.047387)"/>'
    assert compact(text) == short


def test_a_class_says_what_it_is_whatever_the_picture():
    line = '<path style="fill: none"/>'
    one, two = (compact(f"<style></style>{line * n}") for n in (2, 3))
    [name] = set(re.findall(r'class="(\w+)"', one + two))
    assert f".{name}{{fill: none}}</style>" in one and one != two
    assert compact(f"<style></style>{line}") == f"<style></style>{line}"
