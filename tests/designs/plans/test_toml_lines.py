"""Lines of keys in TOML: by hand, and for random texts whose lines are known."""

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompare.designs.plans.plan_text import key_lines
from pycompare.designs.plans.toml_text import key, quoted, value

TEXT = '''# [plan] in a comment
title = "a # is no comment" # [x]

[data] # comment
"a.b" . 'c' .d = """
[plan]
alpha = 1 ""\\"""""
list = [ # [no]
  "a]", 'b', # x = 1

  { y = 1, z.w = [1,
     2] },
]
[[t]]
when = 1979-05-27 07:32:00
[t.s]
q = \'\'\'
a = 1\'\'\'\'
[[t]]
[t.s]
"" = -1.5e3
"\\u00e9\\n" = true
last = [[],{}]'''

EXPECTED = {
    ("title",): 2,
    ("data",): 4,
    ("data", "a.b"): 5,
    ("data", "a.b", "c"): 5,
    ("data", "a.b", "c", "d"): 5,
    ("data", "list"): 8,
    ("data", "list", 0): 9,
    ("data", "list", 1): 9,
    ("data", "list", 2): 11,
    ("data", "list", 2, "y"): 11,
    ("data", "list", 2, "z"): 11,
    ("data", "list", 2, "z", "w"): 11,
    ("data", "list", 2, "z", "w", 0): 11,
    ("data", "list", 2, "z", "w", 1): 12,
    ("t",): 14,
    ("t", 0): 14,
    ("t", 0, "when"): 15,
    ("t", 0, "s"): 16,
    ("t", 0, "s", "q"): 17,
    ("t", 1): 19,
    ("t", 1, "s"): 20,
    ("t", 1, "s", ""): 21,
    ("t", 1, "s", "é\n"): 22,
    ("t", 1, "s", "last"): 23,
    ("t", 1, "s", "last", 0): 23,
    ("t", 1, "s", "last", 1): 23,
}


def paths(held, path=()):
    """All keys and positions that tomllib read."""
    if path:
        yield path
    if isinstance(held, dict):
        for name, inner in held.items():
            yield from paths(inner, (*path, name))
    if isinstance(held, list):
        for place, inner in enumerate(held):
            yield from paths(inner, (*path, place))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n# the end"])
def test_every_key_has_its_line(newline, end):
    text = (TEXT + end).replace("\n", newline)
    assert key_lines(text) == EXPECTED
    assert set(EXPECTED) == set(paths(tomllib.loads(text)))


def test_a_text_without_keys_has_no_lines():
    assert key_lines("") == key_lines("\n # only [a] comment = 1\n") == {}


ODD = ["", "[x]", "a = 1", "# c", 'q"', "l\nm", "\\", "'''", '"""', "{", "},", "\x7f"]
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
ANY_TEXT |= st.sampled_from(ODD)


@given(ANY_TEXT)
def test_any_text_reads_back_as_a_value_and_as_a_key(text):
    assert tomllib.loads(f"k = {quoted(text)}") == {"k": text}
    assert tomllib.loads(f"{key(text)} = 1") == {text: 1}
    assert quoted(text).isprintable()


NOISE = st.sampled_from(["", "\n", "\n\n# [x] = 1\n", "\n   # c\n\n", "\t\n"])
LONG = st.sampled_from(['"""\n[x]\n"""', "'''\na = 1\n'''", '"""a\\"""\nb"""'])
PLAIN = ANY_TEXT | st.integers() | st.booleans() | st.floats(-9, 9)


@st.composite
def documents(draw):
    """A text, and the line of each key of it."""
    text, lines = "", {}

    def note(*path):
        lines[path] = text.count("\n") + 1

    for table in draw(st.lists(ANY_TEXT, max_size=4, unique=True)):
        text += draw(NOISE) + "\n"
        note(table)
        text += f"  [ {key(table)} ] # c\n"
        for name in draw(st.lists(ANY_TEXT, max_size=4, unique=True)):
            text += draw(NOISE) + "\n"
            note(table, name)
            text += f"{key(name)}  =  "
            if draw(st.booleans()):
                text += draw(LONG | PLAIN.map(value))
                continue
            text += "[" + draw(NOISE)
            for place, entry in enumerate(draw(st.lists(PLAIN, max_size=3))):
                note(table, name, place)
                text += value(entry) + draw(NOISE) + "," + draw(NOISE)
            text += "]"
    return text, lines


@settings(max_examples=300)
@given(documents())
def test_lines_of_random_texts_are_where_the_keys_were_put(document):
    text, lines = document
    assert key_lines(text) == lines
    assert set(lines) == set(paths(tomllib.loads(text)))
