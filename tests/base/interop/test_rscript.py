"""R code as text: whatever a label holds, it stays a string."""

from __future__ import annotations

import csv
import io
import math
import random
import re
import struct

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import InputError, ReferenceUnavailable
from pycompare.base.interop import rscript
from pycompare.base.interop.r_call import RCall
from pycompare.base.interop.r_program import program
from pycompare.results.result import Result
from tests.conftest import wide
from tests.r_session import run

NASTY = [
    '"',
    "\\",
    '\\"',
    "two\nlines",
    "\r\n",
    "\t",
    "名前 é ß",
    "\u202eright to left",
    "😀",
    "__import__('os').system('x')",
    "%s %d %%",
    "x" * 300,
    "é" * 2500,
    ')); system("touch pwned"); ((',
    '"); system("touch pwned"); ("',
    "# no comment",
    "nan",
    "NA",
    "NULL",
    "-Inf",
    "`a`",
    "'single'",
    "a\\u0041",
    "{x}",
    "",
    " ",
]

# R 4.2 reads the shortest decimal of each of these as a neighbouring double.
MISREAD = [
    0.06548818,
    4028.106313,
    0.002877,
    -0.007355569855881637,
    6.255621332039007e271,
]

# One R string literal, one comment, or any other character.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#[^\n]*|[^"#]', re.DOTALL)


def outside_strings(code: str) -> str:
    """Return R code without its string literals and comments."""
    tokens = TOKEN.findall(code)
    assert "".join(tokens) == code, "an R string is not closed"
    return "".join(t for t in tokens if t[0] not in '"#')


def read_back(literal: str) -> str:
    """Read an R string literal, or paste0() of several, as R does."""
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literal)
    escape = re.compile(r'\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(["\\]))')

    def character(match: re.Match[str]) -> str:
        short, long, plain = match.groups()
        return plain or chr(int(short or long, 16))

    return "".join(escape.sub(character, part) for part in parts)


def nasty_scores(names=("a", '"); system("touch pwned"); ("', "名前 é")) -> pc.Scores:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(6, len(names))), columns=list(names))
    frame.insert(0, "block", [f'b"{i}\\' for i in range(6)])
    return pc.Scores.from_wide(frame, metric="score", better="lower", block="block")


@pytest.mark.parametrize("label", NASTY, ids=lambda s: ascii(s)[:30])
def test_quoted_text_reads_back_as_it_was(label):
    literal = rscript.quote(label)
    assert read_back(literal) == label
    assert literal.isascii() and literal.isprintable()
    assert outside_strings(literal) in ("", "paste0(, , )")


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
@settings(max_examples=200)
def test_any_text_reads_back_as_it_was(label):
    assert read_back(rscript.quote(label)) == label


@pytest.mark.parametrize("label", ["a\0b", "\ud800"], ids=ascii)
def test_text_that_r_cannot_hold_is_refused(label):
    with pytest.raises(InputError, match="R cannot hold"):
        rscript.quote(label)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (0.1, "0.1"),
        (4.0, "4"),
        (1e-5, "1e-05"),
        (-0.0, "-0"),
        (math.nan, "NaN"),
        (math.inf, "Inf"),
        (-math.inf, "-Inf"),
        (5e-324, "4.9406564584124654e-324"),
    ],
)
def test_numbers_are_short_where_r_reads_them_right(number, code):
    assert rscript.number(number) == code


def test_numbers_lose_no_bit():
    rng = random.Random(1)
    for _ in range(2000):
        (x,) = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))
        if math.isfinite(x):
            assert struct.pack("<d", float(rscript.number(x))) == struct.pack("<d", x)


@pytest.mark.parametrize("number", MISREAD)
def test_a_decimal_that_r_misreads_gets_17_digits(number):
    assert rscript.number(number) == f"{number:.17g}" != repr(number)


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        (None, "NULL"),
        (True, "TRUE"),
        (np.bool_(False), "FALSE"),
        (3, "3"),
        (np.int64(7), "7"),
        ("holm", '"holm"'),
        (["a", "b"], 'c("a", "b")'),
        ((1, 2.5), "c(1, 2.5)"),
        ([True, False], "c(TRUE, FALSE)"),
        (np.array([0.5, np.nan, np.inf]), "c(0.5, NaN, Inf)"),
        (np.array([]), "numeric(0)"),
        (pd.Series([1.0, 2.0], index=["a", "b"]), "c(1, 2)"),
    ],
    ids=repr,
)
def test_arguments_become_r_values(argument, code):
    assert rscript.value(argument) == code


def test_a_frame_becomes_a_matrix_with_names_and_missing_cells():
    frame = pd.DataFrame([[1.0, np.nan], [2.0, 0.1]], index=["b1", "nan"])
    frame.columns = ["x", 'y"']
    assert rscript.value(frame) == (
        "matrix(c(\n  1, NA_real_,\n  2, 0.1\n), nrow = 2, byrow = TRUE, "
        'dimnames = list(\n  c("b1", "nan"),\n  c("x", "y\\"")\n))'
    )


@pytest.mark.parametrize(
    "argument",
    [["a", 1], pytest.param(object(), id="object"), [True, 1.0], 2**63 + 1, {"a": 1}],
    ids=repr,
)
def test_what_is_no_plain_vector_is_refused(argument):
    with pytest.raises(InputError):
        rscript.value(argument)


def test_code_holds_functions_data_and_call(garcia_herrera):
    code = pc.friedman(garcia_herrera).r_code()
    assert code.count("friedman_reference <- function(") == 1
    assert code.count("rank_rows <- function(") == 1
    assert 'c("C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2")' in code
    assert "result <- friedman_reference(\n  x = scores,\n" in code
    assert 'sprintf("%.17g", values)' in code
    assert code.endswith("print_numbers(result)\ninvisible(result)\n")
    assert code.isascii()


def test_labels_are_never_code():
    code = pc.friedman(nasty_scores()).r_code()
    assert "pwned" in code
    assert "pwned" not in outside_strings(code)
    assert code.isascii()


def test_a_control_is_never_code():
    scores = nasty_scores()
    code = pc.rank_pairs(scores, control=scores.algorithms[1], adjust="holm").r_code()
    assert "pwned" not in outside_strings(code)


@pytest.mark.parametrize(
    "title", ["two\nlines", "\r\nquit()", "\u2028quit()", "é", "\x00", '"', "\\"]
)
def test_a_title_stays_in_its_comment(title, garcia_herrera):
    result = pc.friedman(garcia_herrera)
    code, plain = (program([(t, result)]).text for t in (title, ""))
    assert outside_strings(code) == outside_strings(plain)
    assert len(code.splitlines()) == len(plain.splitlines())
    assert code.isascii()


def test_a_program_has_each_function_and_each_data_set_once(garcia_herrera):
    scores = nasty_scores()
    titled = [
        ("one", pc.friedman(garcia_herrera)),
        ("two", pc.quade(garcia_herrera)),
        ("three", pc.superiority(garcia_herrera)),
        ("other data", pc.friedman(scores)),
        ("nothing in R", Result()),
    ]
    made = program(titled)
    code = made.text
    assert code.count("rank_rows <- function(") == 1
    assert set(made.files) == {"r_1.csv", "r_2.csv"}
    assert code.count("data_1 <- read_numbers(") == 1
    assert code.count("x = data_1,") == 3 and code.count("x = data_2,") == 1
    assert [t for t, _ in titled] == re.findall(r"^# ([a-z ]+R?)$", code, re.MULTILINE)
    assert "# R has no counterpart" in code


def test_labels_of_a_program_are_strings_and_no_cell_of_its_data_is_a_formula():
    made = program([("", pc.friedman(nasty_scores()))])
    assert "pwned" not in outside_strings(made.text) and made.text.isascii()
    [text] = made.files.values()
    for row in csv.reader(io.StringIO(text)):
        assert row[0][:1] not in ("=", "+", "-", "@")


def test_a_result_without_counterpart_has_no_code():
    with pytest.raises(ReferenceUnavailable, match="no counterpart"):
        Result().r_code()


@pytest.mark.parametrize("stem", ["../README", "friedman.R", "", "a/b"])
def test_only_plain_names_are_looked_up(stem):
    with pytest.raises(InputError, match="not the name of a file"):
        rscript.reference_source(stem)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ReferenceUnavailable, match="no R file"):
        rscript.reference_source("no_such_method")


def parameters(stem: str, function: str) -> list[str]:
    """Return the parameter names of an R function of ours."""
    source = rscript.reference_source(stem)
    (found,) = re.findall(rf"^{function} <- function\(([^{{]*)\) {{", source, re.M)
    return [part.split("=")[0].strip() for part in found.split(",")]


def calls() -> dict[str, RCall]:
    scores = pc.example()
    made = {
        "friedman": pc.friedman(scores),
        "aligned": pc.aligned_ranks(scores),
        "quade": pc.quade(scores),
        "skillings-mack": pc.skillings_mack(scores),
        "superiority": pc.superiority(scores),
        "nemenyi": pc.nemenyi(scores),
        "wilcoxon": pc.wilcoxon(scores, algorithms=scores.algorithms[:2]),
        "sign test": pc.sign_test(scores, algorithms=scores.algorithms[:2]),
        "5x2cv": pc.five_by_two_cv([[0.1, 0.2]] * 5),
        "mcnemar": pc.mcnemar([3, 9]),
        "equivalence": pc.equivalence(
            scores, margin=0.1, algorithms=scores.algorithms[:2]
        ),
        "paired t": pc.paired_t(scores, algorithms=scores.algorithms[:2]),
        "corrected pairs": pc.corrected_pairs(scores, n_train=9, n_test=1),
    }
    for method in ("friedman", "aligned", "quade", "skillings-mack"):
        made[f"pairs {method}"] = pc.rank_pairs(scores, method=method, adjust="holm")
    return {name: result.r_call() for name, result in made.items()}


def test_every_call_fits_its_r_function():
    for name, call in calls().items():
        assert set(call.arguments) <= set(parameters(call.files[-1], call.function)), (
            name
        )


def test_r_files_are_ascii_and_say_what_they_are():
    for path in rscript.reference_folder().glob("*.R"):
        text = path.read_text(encoding="utf-8")
        assert text.isascii() and text.startswith("# "), path.name
        assert max(map(len, text.splitlines())) <= 90, path.name


def test_no_two_r_files_define_one_name():
    """The files of all calls of a report stand in one program: the last would win."""
    owners: dict[str, list[str]] = {}
    for path in rscript.reference_folder().glob("*.R"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"^([\w.]+) <- ", text, re.MULTILINE):
            owners.setdefault(name, []).append(path.name)
    shared = {name: files for name, files in owners.items() if len(files) > 1}
    assert shared == {}


def many_algorithms() -> pc.Scores:
    return wide(np.random.default_rng(1).normal(size=(12, 21)))


NOT_REPEATABLE = {
    "pairwise_t": lambda s: pc.pairwise_t(s, adjust="bergmann-hommel"),
    "rank_pairs": lambda s: pc.rank_pairs(s, adjust="bergmann-hommel"),
    "corrected_pairs": lambda s: pc.corrected_pairs(
        s, n_train=9, n_test=1, adjust="bergmann-hommel"
    ),
    "hotelling_pairs": lambda s: pc.hotelling_pairs(s, adjust="bergmann-hommel"),
}


@pytest.mark.r
@pytest.mark.parametrize("name", NOT_REPEATABLE)
def test_no_raw_p_value_goes_by_the_name_of_an_adjusted_one(name):
    result = NOT_REPEATABLE[name](many_algorithms())
    assert not result.repeatable and "p_adjusted" not in result.r_values()
    [answer] = run([result.r_call()])
    assert "p_value" in answer and "p_adjusted" not in answer
    assert set(result.r_values()) <= set(answer)
