"""Every command on files that nobody would write: done, or refused in clear words.

No traceback, no warning, no half-written output, no NaN as a verdict. The suite tries a
fixed list of cases; ``FUZZ=20000`` (``make study``) tries so many new ones a command.
``CRASHES`` holds what once failed.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.command_line import command

FUZZ = int(os.environ.get("FUZZ", "0"))


def tried(examples: int):
    """Try so many cases, the same ones each time, or as many new ones as are asked."""
    return settings(
        max_examples=FUZZ or examples,
        derandomize=not FUZZ,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


many, few = tried(40), tried(10)

NUMBERS = st.one_of(
    st.floats(0, 1).map(lambda x: f"{x:.3f}"),
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["0", "1", "0.5", "1e308", "-1e-308", "1,5", "95%", "0x1F", "1_0"]),
)
WORDS = st.one_of(
    st.sampled_from(
        [
            *("", " ", "NA", "nan", "-inf", "None", "__x", "index", "algorithm", "x,y"),
            *('"', "'", "\\", "=1+1", "<script>", "margin=1", "%s", "${x}", "\u202e"),
            *("__import__('os')", "a\tb", "a\nb", "\x00", "\ufeffA", "Ω", "😀", "A"),
        ]
    ),
    st.text(max_size=8),
)
CELLS = st.one_of(NUMBERS, NUMBERS, WORDS)


SCORES = st.one_of(
    st.floats(0, 1).map(lambda x: f"{x:.2f}"),
    st.integers(0, 3).map(str),
    st.floats(-1e300, 1e300).map(repr),
    st.floats(0, 1e-300).map(repr),
)
"""Numbers of a table: of two digits, with ties, huge, tiny."""
NAMES = ("A", "<script>", "nan", "margin=1", "a,b", '"', "Ω", "__x", "algorithm", "=1")


def named(draw, least: int, most: int) -> list[str]:
    """Draw different names."""
    some = st.lists(st.sampled_from(NAMES), min_size=least, max_size=most, unique=True)
    return draw(some)


@st.composite
def flawed(draw, tables):
    """Draw a table as bytes, with no, one or two things wrong."""
    rows = [list(row) for row in draw(tables)]
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2]))):
        row = draw(st.sampled_from(rows))
        place = draw(st.integers(0, len(row) - 1))
        kind = draw(st.sampled_from(["cell", "cell", "cell", "lost", "more", "row"]))
        if kind == "cell":
            row[place] = draw(CELLS)
        elif kind == "lost":
            del row[place]
        elif kind == "more":
            row.insert(place, draw(CELLS))
        else:
            rows.append(list(row))
    quoted = [['"' + c.replace('"', '""') + '"' for c in row] for row in rows]
    text = "\n".join(",".join(row) for row in quoted)
    data = text.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=4)) + data[at + 3 :]
    return data


@st.composite
def wide(draw):
    """Draw a table of scores."""
    names, kind = named(draw, 2, 4), draw(st.sampled_from([SCORES, NUMBERS]))
    one = draw(st.sampled_from([kind, st.just("0.5"), st.sampled_from(["0", "1"])]))
    rows = [["data", *names]]
    for b in range(draw(st.integers(2, 9))):
        rows.append([f"b{b}", *(draw(one) for _ in names)])
    return rows


@st.composite
def predicted(draw):
    """Draw predictions of two algorithms or three on some folds."""
    names, cell = named(draw, 2, 3), draw(st.sampled_from([SCORES, st.just("0.5")]))
    folds, cases = draw(st.integers(1, 3)), draw(st.integers(2, 6))
    labels = [draw(st.sampled_from(["yes", "no"])) for _ in range(folds * cases)]
    rows = [["algorithm", "fold", "case", "label", "score"]]
    for name in names:
        for at, label in enumerate(labels):
            rows.append([name, str(at // cases), f"c{at}", label, draw(cell)])
    return rows


@st.composite
def rated(draw):
    """Draw ratings of two modalities by some readers."""
    cell = draw(st.sampled_from([SCORES, st.just("0.5"), st.sampled_from(["0", "1"])]))
    readers, cases = draw(st.integers(1, 3)), draw(st.integers(2, 8))
    rows = [["modality", "reader", "case", "truth", "rating"]]
    for modality in named(draw, 2, 3):
        for reader in range(readers):
            for case in range(cases):
                told = [modality, f"r{reader}", str(case), str(case % 2)]
                rows.append([*told, draw(cell)])
    return rows


@st.composite
def measured(draw):
    """Draw a table for a linear model."""
    cell = draw(st.sampled_from([SCORES, SCORES, SCORES, NUMBERS]))
    rows = [["score", "x", "A", "B"]]
    for at in range(draw(st.integers(2, 16))):
        levels = draw(st.sampled_from(NAMES[:4])), f"u{at % 4}"
        rows.append([draw(cell), draw(cell), *levels])
    return rows


FORMULAS = st.one_of(
    st.sampled_from(["score ~ A", "score ~ A * B", "cbind(score, x) ~ A", "score ~ x"]),
    st.sampled_from(
        [
            *("score ~ A", "score ~ A * B", "score ~ A + Error(B)", "score ~ poly(x)"),
            *("cbind(score, x) ~ A", "~", "score ~", "a ~ b ~ c", "score ~ A:(B+x)^2"),
            *("score ~ A + x", "cbind(score, x) ~ A + B", "score ~ A + Error(B/A)"),
            *("score ~ __import__('os')", "score ~ 0 + A", "log(score) ~ A", "y ~ ."),
        ]
    ),
    st.text("scoreAB~+*:()^01 -x,", max_size=20),
)
PLANS = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.tuples(
            st.sampled_from(
                [
                    *("[data]", "[plan]", "[metrics]", "file", "wide", "alpha"),
                    *("adjust", "blocks", "control", "margin", "seed", "level"),
                ]
            ),
            st.sampled_from(
                [
                    *("", "= true", "= 0.05", '= "holm"', "= -1", "= []", "= {}"),
                    *('= "scores.csv"', "= nan", "= 1e999", "= 'x'", "= 1979-05-27"),
                ]
            ),
        ).map(" ".join),
        max_size=8,
    ).map("\n".join),
)


def fine(data: bytes, *arguments: str, name: str = "scores.csv") -> None:
    """Hold that a command is done with whole output, or refuses without any."""
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        file, out = folder / name, folder / "out"
        file.write_bytes(data)
        table = folder / "out.csv"
        marks = {"FILE": str(file), "OUT": str(out), "OUT.csv": str(table)}
        code, _, said = command(*(marks.get(a, a) for a in arguments))
        left = sorted(path.name for path in folder.iterdir())
        if code == 0:
            assert said == "" or "Traceback" not in said
            wanted = {"OUT": "out", "OUT.csv": "out.csv"}
            written = [wanted[a] for a in arguments if a in wanted]
            assert left == sorted([name, *written])
            whole(out)
        else:
            assert code == 2, said
            assert said.startswith("pycompare: ")
            assert left == [name], left


def whole(out: Path) -> None:
    """Hold that a report is whole: a page that ends, numbers, and no NaN verdict."""
    if not out.is_dir():
        return
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    found = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert found
    for file in out.rglob("*"):
        assert not file.name.startswith("."), file


COMPARE = ("compare", "FILE", "--wide", "--block", "data", "--metric", "m:higher")
CRASHES = [
    b"",
    b"data,A,B\n",
    b"data,A\n1,0.5\n",
    b'data,A,B\n1,"0.5',
    b"\xff\xfe\x00",
    b"data,A,A\n1,0.5,0.5\n",
    b"data,A,B\n1,1e308,-1e308\n2,1.7e308,0\n3,1,2\n",
    b"data,A,B\n1,9007199254740993,9007199254740992\n2,1,2\n3,1,2\n",
    b"data,algorithm,block\n1,0.1,0.2\n2,0.3,0.1\n3,0.1,0.4\n4,0.5,0.6\n",
    b"data,A,B\n1,0.5,0.5\n2,0.5,0.5\n3,0.5,0.5\n",
]


@pytest.mark.parametrize("data", CRASHES)
def test_what_once_failed_is_done_or_refused(data):
    fine(data, *COMPARE, "--blocks", "datasets", "--out", "OUT")


@few
@given(flawed(wide()), st.sampled_from(["datasets", "folds", "by-columns", "cases"]))
def test_compare(data, blocks):
    fine(data, *COMPARE, "--blocks", blocks, "--out", "OUT")


@many
@given(flawed(predicted()))
def test_measure(data):
    columns = ("--algorithm", "algorithm", "--block", "fold", "--case", "case")
    what = ("--label", "label", "--score", "score", "--positive", "yes")
    metrics = ("--metric", "error", "--metric", "auc")
    fine(data, "measure", "FILE", *columns, *what, *metrics, "--out", "OUT.csv")


@few
@given(flawed(predicted()))
def test_curves(data):
    columns = ("--algorithm", "algorithm", "--block", "fold", "--case", "case")
    what = ("--label", "label", "--score", "score", "--positive", "yes")
    fine(data, "curves", "FILE", *columns, *what, "--out", "OUT")


@many
@given(flawed(rated()), st.sampled_from(["auc", "mean", "sensitivity"]))
def test_mrmc(data, figure):
    columns = [
        f(c)
        for c in ("modality", "reader", "case", "rating", "truth")
        for f in (lambda c: f"--{c}", str)
    ]
    threshold = ("--threshold", "0.5") if figure == "sensitivity" else ()
    what = ("--positive", "1", "--figure", figure, *threshold)
    fine(data, "mrmc", "FILE", *columns, *what)


@many
@given(flawed(measured()), FORMULAS)
@example(b"score,x,A,B\n0.1,1e300,A,u0\n0.2,3e300,A,u1\n0.3,2e300,A,u1", "score ~ x")
def test_model(data, formula):
    fine(data, "model", "FILE", "--formula", formula)


@many
@given(PLANS)
def test_run(text):
    data = text.encode("utf-8", "surrogatepass")
    fine(data, "run", "FILE", "--out", "OUT", name="plan.toml")


@many
@given(st.sampled_from(["csv", "parquet", "feather", "xlsx", "json"]), st.binary())
def test_files_of_any_bytes(ending, data):
    fine(data, *COMPARE, "--blocks", "datasets", "--out", "OUT", name=f"x.{ending}")
