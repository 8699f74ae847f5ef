"""Formulas are read by us: R's algebra, clear refusals, and nothing is evaluated."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare.methods.models.grammar import label_of, read_formula, read_terms, written

EXPANDED = {
    "y ~ a*b": "a b a:b",
    "y ~ (a + b + c)^2 - a:b": "a b c a:c b:c",
    "y ~ a/b/c": "a a:b a:b:c",
    "y ~ (a + b)/c": "a b a:b:c",
    "y ~ a %in% b": "a:b",
    "y ~ a:b + a + b:a": "a a:b",
    "y ~ a*b*c - a:b:c": "a b c a:b a:c b:c",
    'y ~ `my col` + "other"': "my col other",
    "log(y) ~ poly(x, 3):a + center(x)": "center(x) poly(x, 3):a",
    "y ~ a + (b - 1)": "a b",
}


@pytest.mark.parametrize(("text", "terms"), EXPANDED.items())
def test_the_algebra_is_that_of_r(text, terms):
    found = [label_of(term) for term in read_formula(text).terms]
    assert " ".join(found) == terms


@pytest.mark.parametrize(
    ("text", "constant"),
    [("y ~ a", True), ("y ~ 0 + a", False), ("y ~ a - 1", False), ("y ~ 1", True)],
)
def test_the_constant(text, constant):
    assert read_formula(text).constant is constant


REFUSED = {
    "y": "character 2: the end where ~",
    "y ~ a b": "character 7: 'b'; an operator is expected",
    "y ~ (a": "a bracket is open",
    "y ~ I(x)": "compute such a column beforehand",
    "y ~ s(x)": "the functions are C, log",
    "y ~ __import__('os')": "character",
    "y ~ a^0": "a whole number from 1 to 12",
    "y ~ log(log(a))": "one function is the most",
    "y ~ 3": "the only numbers are 0 and 1",
    "poly(y, 2) ~ a": "a response is a column",
    "cbind(y, y) ~ a": "twice",
    "y ~ a * 0": "0 stands alone",
    "y ~ 0:a": "0 stands alone",
    "y ~ ``": "a name without letters",
    "y ~ " + "(" * 400 + "a": "too many open brackets",
    "y ~ (a+b+c+d+e+f+g+h+i+j)^12": "terms",
    "y ~ a + (1 + a | g)": "random slopes are not supported",
    "y ~ a + (a | g)": "random slopes are not supported",
    "y ~ a + (1|g)": "within='g'",
    "y ~ a + (1 | g/h) + (1|k)": "within='g/h + k'",
    "y ~ a + Error(block/a)": "within='block/a'",
    "y ~ factor(a)": "write C(a)",
    "y ~ as.factor(`a b`)": "write C(`a b`)",
    "y ~ C(a, Sum)": "write C(a): the coding of groups changes no test; type=3",
    "y ~ C(a, Treatment('x'))": "write C(a): the coding of groups changes no test",
    "y + log(z) ~ g": "write cbind(y, log(z))",
    'Q("my score") ~ g': "in backticks: `my score`",
    "y ~ Q('my score')": "in backticks: `my score`",
    "y ~ x**2": "poly(x, 2), for interactions (a + b)^2",
    "y ~ a + I(x^2)": "write poly(x, 2)",
    "y ~ I(x**3)": "write poly(x, 3)",
    "y ~ x^2": "x^2 of a number is x in a formula; for a curve write poly(x, 2)",
    "y ~ a + (`x y`)^2": "write poly(`x y`, 2)",
    "y ~ np.log(x)": "write log(x)",
    "y ~ a + offset(x)": "subtract it from the response",
    "y ~ .": "name the columns: y ~ a + b",
    "x" * 1_000_001: "characters",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items())
def test_what_cannot_be_read_is_refused_with_the_place(text, said):
    with pytest.raises(pc.InputError, match="formula") as error:
        read_formula(text)
    assert said in str(error.value)


ADVICE = re.compile(r"write ((?:C|poly|log|sqrt|scale)\([^()]*\)|cbind\(.*\))")


def test_what_a_message_says_to_write_can_be_read():
    followed = 0
    for text in REFUSED:
        with pytest.raises(pc.InputError) as error:
            read_formula(text)
        if found := ADVICE.search(str(error.value)):
            sides = (found[1], "g") if "cbind" in found[1] else ("y", found[1])
            assert read_formula(" ~ ".join(sides)).terms
            followed += 1
    assert followed >= 9


@given(st.text(string.ascii_letters + "~+-:*/^%()`\", .01'\n\\é", max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        read_formula("y ~ " + text)
    except pc.InputError:
        return


@given(st.text(min_size=1).filter(lambda s: "`" not in s))
def test_any_name_can_be_quoted(name):
    [[factor]] = read_formula(f"y ~ `{name}`").terms
    assert factor.column == name


@given(st.text(min_size=1).filter(lambda s: "`" not in s))
def test_a_name_is_written_as_it_is_read(name):
    [[factor]] = read_formula(f"y ~ {written(name)}").terms
    assert factor.column == name


def test_strata_are_read_the_same_way():
    assert [label_of(t) for t in read_terms("data/fold", "within")] == [
        "data",
        "data:fold",
    ]
    with pytest.raises(pc.InputError, match="within, character 6"):
        read_terms("data/", "within")
