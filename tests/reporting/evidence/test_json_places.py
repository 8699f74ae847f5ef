"""A line of results.json and a number in it have one name for their place."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from pycompare.reporting.evidence.json_places import leaves, place_of_line

KEYS = st.text('ab/~"\\{}[]:,é🎉\n ', max_size=4)
"""Of what JSON or a place escapes: all of Unicode takes seconds to draw from."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | KEYS,
    lambda held: st.lists(held, max_size=3) | st.dictionaries(KEYS, held, max_size=3),
    max_leaves=12,
)


@settings(max_examples=40)
@given(st.dictionaries(KEYS.filter(bool), VALUES, min_size=1, max_size=4))
def test_lines_are_named_as_leaves_are(value):
    lines = json.dumps(value, indent=1).splitlines()
    of_leaves = [
        place_of_line(lines, at)
        for at, line in enumerate(lines)
        if not line.strip().removesuffix(",").endswith(("{", "[", "}", "]", "[]", "{}"))
        or _holds_text(line)
    ]
    assert of_leaves == [place for place, _ in leaves(value)]


def _holds_text(line: str) -> bool:
    """Return whether what ends in a bracket is a text, as in ``"a": "{"``."""
    return line.strip().removesuffix(",").endswith('"')
