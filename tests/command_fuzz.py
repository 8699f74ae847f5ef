"""Commands with files and options that nobody would write: done, or refused clearly.

A case is done with whole output, or ends in one clear error and leaves nothing. No
traceback, no warning, no NaN as a verdict. ``tests.fuzz`` tries new cases for a given
time; what fails is kept in ``tests/fuzz_corpus/commands`` and tried again by
the suite.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, reduce
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from hypothesis import strategies as st

import pycompare as pc
from pycompare.cli.app import cli
from pycompare.plans.toml_text import value
from tests.byte_fuzz import CHANGES, CORPUS, limited
from tests.command_line import command
from validation.random_plans import PAIRED, VALUES, case

KEPT = CORPUS / "commands"
DONE, REFUSED = "done", "refused"
Rows = list[list[str]]
Damage = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A command in a folder.

    Attributes
    ----------
    arguments : list of str
        ``out`` and what begins so is what it writes.
    files : dict
        Bytes of files as Latin-1.
    reports : list of str
        Whole reports that are there, see ``REPORTS``.
    damages : list of dict
        What is then changed in them: ``lost``, a place of a JSON file that is lost or
        gets ``junk``, ``bytes`` by a seed, and whether the manifest is ``signed``
        again.
    """

    arguments: list[str]
    files: dict[str, str] = field(default_factory=dict)
    reports: list[str] = field(default_factory=list)
    damages: list[Damage] = field(default_factory=list)

    def text(self) -> str:
        """Return it as a file of the corpus."""
        return json.dumps(asdict(self), indent=1) + "\n"


# ---- one case ------------------------------------------------------------------------


def ended(one: Case) -> str:
    """Run a command; return ``done``, ``refused`` or what is wrong."""
    with tempfile.TemporaryDirectory() as at, contextlib.chdir(at), limited():
        _lay(one)
        before = _listed()
        try:
            status, said, complained = command(*one.arguments)
        except BaseException:
            return traceback.format_exc()
        written = sorted(set(_listed()) - set(before))
        if status == 0:
            return _wrong_when_done(one, said, complained, written) or DONE
        if status == 1 and one.arguments[0] in ("verify", "diff") and not complained:
            return f"a check writes {written}" if written else DONE
        return _wrong_when_refused(status, complained, written) or REFUSED


def _lay(one: Case) -> None:
    for name in one.reports:
        shutil.copytree(_reports() / name, name)
        if (key := _reports() / f"{name}.key.json").exists():
            shutil.copy(key, key.name)
    for name, content in one.files.items():
        Path(name).write_bytes(content.encode("latin-1"))
    for change in one.damages:
        _damage(change)


def _listed() -> list[str]:
    return sorted(str(path) for path in Path().rglob("*"))


def _wrong_when_done(one: Case, said: str, complained: str, written: list[str]) -> str:
    if re.search("Traceback|Warning", complained):
        return f"it is done, and says: {complained}"
    if re.search(r"\bp\w* [=<>] nan\b", said):
        return f"a p-value is NaN: {said}"
    if strange := [name for name in written if not name.startswith("out")]:
        return f"it leaves {strange}"
    if "out" in one.arguments and "out" not in written:
        return "it writes nothing"
    if "--json" in one.arguments:
        json.loads(said)
    out = Path("out")
    return _wrong_report(out) if (out / "results.json").is_file() else ""


def _wrong_when_refused(status: int, complained: str, written: list[str]) -> str:
    if status != 2 or not complained.startswith("pycompare: "):
        return f"status {status}: {complained}"
    if re.search("Traceback|Warning|not enough memory", complained):
        return f"it is refused with: {complained}"
    if len(complained.splitlines()) > 1 and " problems:" not in complained:
        return f"an error of several lines: {complained}"
    return f"it is refused, and leaves {written}" if written else ""


def _wrong_report(out: Path) -> str:
    page = (out / "report.html").read_text(encoding="utf-8")
    if not page.rstrip().endswith("</html>"):
        return "the page is half written"
    held = json.loads((out / "results.json").read_text(encoding="utf-8"))
    if wrong := next(_wrong_decisions(held, bool(_REASONS.search(page))), None):
        return f"a verdict without a p-value: {wrong}"
    found = pc.verify(out)
    return "" if found.passed else f"the report is not as its manifest says: {found}"


_REASONS = re.compile("Reason: |not tested|(can|cannot|could not) be tested")
"""How a page begins to say why a pair cannot be tested."""


def _wrong_decisions(held: Any, reasoned: bool) -> Iterator[Any]:
    """Find decisions that are neither yes nor no, or without a p-value in [0, 1].

    A pair that cannot be tested is no finding, if the page gives a reason.
    """
    if isinstance(held, dict):
        decided = [held[n] for n in ("rejected", "significant") if n in held]
        p = held.get("p_adjusted", 0)
        inside = isinstance(p, int | float) and 0 <= p <= 1
        untested = reasoned and p == "NaN" and not any(decided)
        told = all(isinstance(answer, bool) for answer in decided)
        if decided and not (told and (inside or untested)):
            yield held
        held = list(held.values())
    if isinstance(held, list):
        for part in held:
            yield from _wrong_decisions(part, reasoned)


# ---- cells and labels ----------------------------------------------------------------

NUMBERS = st.one_of(
    st.floats(0, 1).map(lambda x: f"{x:.3f}"),
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["0", "1", "0.5", "1e308", "-1e-308", "1,5", "95%", "0x1F", "1_0"]),
)
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
WORDS = st.one_of(
    st.sampled_from(
        [
            *("", " ", "NA", "nan", "-inf", "None", "__x", "index", "algorithm", "x,y"),
            *('"', "'", "\\", "=1+1", "<script>", "margin=1", "%s", "${x}", "\u202e"),
            *("__import__('os')", "a\tb", "a\nb", "\ufeffA", "Ω", "😀", "A", "../x"),
        ]
    ),
    st.text(LETTERS, max_size=8),
)
CELLS = st.one_of(NUMBERS, NUMBERS, WORDS, st.just("\0"))
NAMES = (
    *("A", "B", "<script>", "nan", "NA", "margin=1", "a,b", '"', "Ω", "__x"),
    *("algorithm", "block", "data", "=1", "0.1", "-x", "index", "Residuals"),
    *("(Intercept)", "e\u0301", "\u00e9", "决策树", "%s {0}", "\\alpha_1", "x" * 120),
)
SCORES = st.one_of(
    st.floats(0, 1).map(lambda x: f"{x:.2f}"),
    st.integers(0, 3).map(str),
    st.floats(-1e300, 1e300).map(repr),
    st.floats(0, 1e-300).map(repr),
    st.integers(0, 99).map(lambda x: str(10**15 + x)),
)
"""Numbers of a table: of two digits, with ties, huge, tiny, far from 0."""
KINDS_OF_COLUMN = (
    SCORES,
    st.floats(0, 1).map(lambda x: f"{x:.2f}"),
    st.sampled_from(["0", "1"]),
    st.just("0.5"),
    st.floats(0.1, 1).map(lambda x: f"{x:.3f}e300"),
    st.floats(0.1, 1).map(lambda x: f"{x:.3f}e-320"),
    st.integers(0, 9).map(lambda x: f"{2**53 + x}"),
    NUMBERS,
    st.floats(0, 1).map(lambda x: f"{x:.3f}"),
    st.floats(0, 1).map(repr),
)


def rarely(draw: Any) -> bool:
    """Draw yes about once in twenty; hypothesis likes both ends of a range."""
    return bool(draw(st.integers(0, 19)) == 13)


def named(draw: Any, least: int, most: int) -> list[str]:
    """Draw different names, plain ones half of the time."""
    if draw(st.booleans()):
        return list("ABCDE"[: draw(st.integers(least, most))])
    some = st.lists(st.sampled_from(NAMES), min_size=least, max_size=most, unique=True)
    return list(draw(some))


def column(draw: Any) -> st.SearchStrategy[str]:
    """Draw what the cells of a column are like."""
    return draw(st.sampled_from(KINDS_OF_COLUMN))


# ---- tables --------------------------------------------------------------------------


def flawed(draw: Any, rows: Rows) -> str:
    """Return a table as a file, mostly with nothing or one thing wrong."""
    rows = [list(row) for row in rows]
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 0, 2, 0, 0]))):
        at = draw(st.integers(0, len(rows) - 1))
        place = draw(st.integers(0, len(rows[at]) - 1)) if rows[at] else 0
        kind = draw(st.sampled_from(["cell", "cell", "cell", "lost", "more", "row"]))
        if kind == "cell" and rows[at]:
            rows[at][place] = draw(CELLS)
        elif kind == "lost":
            del rows[at][place:]
        elif kind == "more":
            rows[at].insert(place, draw(CELLS))
        else:
            rows.append(list(rows[at]))
    quoted = [['"' + c.replace('"', '""') + '"' for c in row] for row in rows]
    data = "\n".join(",".join(row) for row in quoted).encode("utf-8", "surrogatepass")
    if rarely(draw):
        draw_byte = Random(draw(st.integers(0, 10**6)))
        data = draw_byte.choice(CHANGES)(data, draw_byte, ())
    return data.decode("latin-1")


def wide(draw: Any) -> Rows:
    """Draw scores, a column an algorithm; columns and rows may be constant or alike."""
    names, one = named(draw, 2, 5), column(draw)
    cells = [one if draw(st.booleans()) else column(draw) for _ in names]
    count = draw(st.sampled_from([3, 2, 1, 3, 5, 5, 8, 12]))
    rows = [["data", *names]]
    for b in range(count):
        twin = b > 1 and draw(st.integers(0, 4)) == 0
        rows.append([f"b{b}", *(rows[1][1:] if twin else map(draw, cells))])
    return rows


def long(draw: Any) -> Rows:
    """Draw two metrics, a row a cell, with data sets, runs and groups."""
    names, cells = named(draw, 2, 4), (column(draw), column(draw))
    sets, folds = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    runs = draw(st.sampled_from([1, 1, 2]))
    rows = [["algorithm", "data", "fold", "run", "group", "m1", "m2"]]
    for name in names:
        for s in range(sets):
            for fold in range(folds):
                for run in range(runs):
                    group = "<b>" if s % 2 else "g"
                    known = [name, f"d{s}", f"{s}/{fold}", str(run), group]
                    rows.append([*known, *map(draw, cells)])
    return rows


def predicted(draw: Any) -> Rows:
    """Draw predictions of two algorithms or three on some folds."""
    names, cell = named(draw, 2, 3), column(draw)
    folds, cases = draw(st.integers(1, 3)), draw(st.integers(2, 6))
    other = draw(st.sampled_from(["no", "no", "nan", "<b>", "no"]))
    labels = [("yes", other)[at % 2] for at in range(folds * cases)]
    for at in draw(st.lists(st.integers(0, len(labels) - 1), max_size=3)):
        labels[at] = draw(st.sampled_from(["yes", other]))
    rows = [["algorithm", "fold", "case", "label", "score"]]
    for name in names:
        for at, label in enumerate(labels):
            rows.append([name, str(at // cases), f"c{at}", label, draw(cell)])
    return rows


def rated(draw: Any) -> Rows:
    """Draw ratings of two modalities by some readers."""
    cell = column(draw)
    readers, cases = draw(st.integers(1, 4)), 9 - draw(st.integers(0, 6))
    rows = [["modality", "reader", "case", "truth", "rating"]]
    for modality in named(draw, 2, 3):
        for reader in range(readers):
            for number in range(cases):
                told = [modality, f"r{reader}", str(number), str(number % 2)]
                rows.append([*told, draw(cell)])
    return rows


def factors(draw: Any) -> Rows:
    """Draw a table for a linear model."""
    cells, names = (column(draw), column(draw)), named(draw, 2, 4)
    rows = [["score", "x", "A", "B"]]
    for at in range(draw(st.integers(2, 20))):
        levels = draw(st.sampled_from(names)), f"u{at % 4}"
        rows.append([*map(draw, cells), *levels])
    return rows


# ---- options -------------------------------------------------------------------------

REAL = st.sampled_from(
    ["0.05", "0.1", "1", "0", "-1", "2", "nan", "inf", "1e-300", "1e300", "0.9", "0.5"]
)
WHOLE = st.sampled_from(["2", "3", "0", "-1", "1.5", "x", "20", "1", "5"])
GIVEN = st.one_of(
    st.sampled_from(
        ["A", *NAMES, *("A=0.1", "m1", "m2:lower", "m", "2", "auc", "error", "0.05")]
    ),
    st.sampled_from(
        [
            *("holm", "bergmann-hommel", "shaffer", "nemenyi", "max-t", "dunnett"),
            *("data", "fold", "run", "group", "case", "A", "B", "x", "yes", "1"),
        ]
    ),
    WORDS,
)
KEPT_OUT = {
    *("--out", "--overwrite", "--help", "--workers", "--scheduler", "--trials"),
    *("--cross-check", "--format", "--keep", "--pilot"),
}
"""Options that start processes, or that every case of a command gives."""


def declared(path: tuple[str, ...]) -> list[click.Option]:
    """Return the options that a command declares."""
    one: Any = cli
    context = click.Context(cli)
    for name in path:
        one = one.get_command(context, name)
    return [
        p
        for p in one.params
        if isinstance(p, click.Option) and not KEPT_OUT & set(p.opts)
    ]


@cache
def options(*path: str) -> st.SearchStrategy[list[str]]:
    """Draw up to three options of a command, with likely and unlikely values."""
    one = st.one_of([_given(option) for option in declared(path)])
    few = st.one_of(st.just([]), st.lists(one, max_size=1), st.lists(one, max_size=3))
    return few.map(lambda parts: [word for part in parts for word in part])


def _given(option: click.Option) -> st.SearchStrategy[tuple[str, ...]]:
    name = st.just(option.opts[0])
    if option.is_flag:
        return st.tuples(name)
    return st.tuples(name, *[value_of(option)] * option.nargs)


def value_of(option: click.Option) -> st.SearchStrategy[str]:
    """Draw a value of an option, mostly of its type."""
    kind = option.type
    if isinstance(kind, click.Choice):
        return st.sampled_from([*kind.choices, "", *kind.choices])
    known = {click.FLOAT: REAL, click.INT: WHOLE}
    if isinstance(kind, click.Path):
        return st.sampled_from(["scores.csv", "none.csv", ".", "", "out"])
    return known.get(kind, GIVEN)


# ---- commands ------------------------------------------------------------------------

FORMULAS = st.one_of(
    st.sampled_from(["score ~ A", "score ~ A * B", "cbind(score, x) ~ A", "score ~ x"]),
    st.sampled_from(
        [
            *("score ~ A", "score ~ A * B", "score ~ A + Error(B)", "score ~ poly(x)"),
            *("cbind(score, x) ~ A", "~", "score ~", "a ~ b ~ c", "score ~ A:(B+x)^2"),
            *("score ~ A + x", "cbind(score, x) ~ A + B", "score ~ A + Error(B/A)"),
            *("score ~ A + (1|B)", "score ~ A + (A|B)", "score ~ A + (1|A/B)"),
            *("score ~ __import__('os')", "score ~ 0 + A", "log(score) ~ A", "y ~ ."),
        ]
    ),
    st.text("scoreAB~+*:()^01 -x,|", max_size=20),
)
PREDICTIONS = (
    *("scores.csv", "--algorithm", "algorithm", "--block", "fold", "--case", "case"),
    *("--label", "label", "--score", "score", "--positive", "yes"),
)
RATINGS = (
    *("scores.csv", "--modality", "modality", "--reader", "reader", "--case", "case"),
    *("--rating", "rating", "--truth", "truth", "--positive", "1"),
)
MEASURES = ("error", "x", "log_loss", "average_precision", "f1", "accuracy", "auc")
Draw = Callable[[Any], Case]


def _compare_wide(draw: Any) -> Case:
    table = flawed(draw, wide(draw))
    blocks = draw(st.sampled_from(["datasets", "datasets", "folds", "cases"]))
    known = ("--wide", "--block", "data", "--metric", "m:higher", "--blocks", blocks)
    more = draw(options("compare"))
    arguments = ["compare", "scores.csv", *known, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": table})


def _compare_long(draw: Any) -> Case:
    rows = long(draw)
    runs = ["--replicate", "run"] if any(row[3] == "1" for row in rows) else []
    known = ["--algorithm", "algorithm", "--block", "fold", "--dataset", "data", *runs]
    metrics = draw(st.sampled_from([["m1:lower"], ["m1:higher", "m2:lower"]]))
    for metric in metrics:
        known += ["--metric", metric]
    more = draw(options("compare"))
    arguments = ["compare", "scores.csv", *known, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def _bytes(draw: Any) -> Case:
    ending = draw(st.sampled_from(["csv", "parquet", "feather", "xlsx", "json"]))
    name, data = f"x.{ending}", draw(st.binary()).decode("latin-1")
    known = ("--wide", "--metric", "m:higher", "--blocks", "datasets")
    return Case(["compare", name, *known, "--out", "out"], {name: data})


def _measure(draw: Any) -> Case:
    metrics = draw(st.lists(st.sampled_from(MEASURES), min_size=1, max_size=2))
    asked = [word for name in metrics for word in ("--metric", name)]
    more = draw(options("measure"))
    arguments = ["measure", *PREDICTIONS, *asked, *more, "--out", "out.csv"]
    return Case(arguments, {"scores.csv": flawed(draw, predicted(draw))})


def _curves(draw: Any) -> Case:
    arguments = ["curves", *PREDICTIONS, *draw(options("curves")), "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, predicted(draw))})


def _mrmc(draw: Any) -> Case:
    out = draw(st.sampled_from([(), ("--out", "out")]))
    arguments = ["mrmc", *RATINGS, *draw(options("mrmc")), *out]
    return Case(arguments, {"scores.csv": flawed(draw, rated(draw))})


def _model(draw: Any) -> Case:
    out = draw(st.sampled_from([(), (), ("--out", "out")]))
    known = ("scores.csv", "--formula", draw(FORMULAS))
    arguments = ["model", *known, *draw(options("model")), *out]
    return Case(arguments, {"scores.csv": flawed(draw, factors(draw))})


def _plan(draw: Any) -> Case:
    table, how = draw(
        st.sampled_from(
            [(wide, "--wide"), (predicted, "--predictions"), (factors, "--model")]
        )
    )
    arguments = ["plan", "scores.csv", how, *draw(options("plan")), "--out", "out.toml"]
    return Case(arguments, {"scores.csv": flawed(draw, table(draw))})


ODD = st.sampled_from(
    [
        *("", "true", "0.05", '"holm"', "-1", "[]", "{}", '"scores.csv"', "nan"),
        *("1e999", "'x'", "1979-05-27", "[[1]]", "{ a = 1 }", '"\\u0000"'),
    ]
)


def _run(draw: Any) -> Case:
    """Draw a plan over every key, or lines that are none."""
    seed = draw(st.integers(0, 10**6))
    rng, scores = np.random.default_rng(seed), case(seed)[0]
    lines = ["[data]", 'file = "scores.csv"', 'format = "wide"', 'block = "data"']
    lines += ["[metrics]", 'm = "higher"', "[plan]"]
    with contextlib.suppress(pc.errors.PyCompareError):
        known = scores()
        names = st.lists(st.sampled_from(sorted(VALUES)), max_size=4, unique=True)
        for name in draw(names):
            for key in (name, *([PAIRED[name]] if name in PAIRED else [])):
                with contextlib.suppress(pc.errors.PyCompareError):
                    lines.append(f"{key} = {value(VALUES[key][1](rng, known))}")
    lines = list({line.partition("=")[0]: line for line in lines}.values())
    for _ in range(draw(st.sampled_from([0, 0, 1, 2, 0, 0]))):
        at = draw(st.integers(0, len(lines) - 1))
        name = lines[at].partition("=")[0]
        odd = draw(st.one_of(ODD.map(lambda x, n=name: f"{n} = {x}"), WORDS))
        lines[at] = odd
    table = flawed(draw, wide(draw))
    files = {"scores.csv": table, "plan.toml": _latin("\n".join(lines))}
    return Case(["run", "plan.toml", *draw(options("run")), "--out", "out"], files)


def _power(draw: Any) -> Case:
    design = draw(st.sampled_from(_designs()))
    asked = [word for truth in _truths(design) for word in draw(_given(truth))]
    more = draw(options("power", design))
    out = draw(st.sampled_from([(), ("--out", "out"), ()]))
    return Case(["power", design, *asked, *more, "--trials", "20", *out])


def _truths(design: str) -> list[click.Option]:
    """Return the options that only some designs have, but for those of pilots."""
    shared = {option.opts[0] for option in declared(("power", "sign"))}
    shared -= {"--win", "--tie"}
    own = [o for o in declared(("power", design)) if o.opts[0] not in shared]
    own = [option for option in own if "pilot" not in option.opts[0]]
    return [option for option in own for _ in range(1 + option.multiple)]


@cache
def _designs() -> list[str]:
    context = click.Context(cli)
    group: Any = cli.get_command(context, "power")
    return list(group.list_commands(context))


def _latin(text: str) -> str:
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


# ---- result files --------------------------------------------------------------------

REPORTS = {"first": (), "second": ("--alpha", "0.1"), "blind": ("--blind",)}
"""Options of the reports that are damaged."""
DEEPER = st.sampled_from([True, True, False, True])
JUNK = st.sampled_from(
    [
        *(None, True, 0, -1, 1e308, 0.5, "", "nan", "A", "../x", "<b>", [], {}, [[]]),
        *(float("nan"), float("inf"), 10**30, "x" * 9, {"a": 1}, ["A", "B"]),
    ]
)


@cache
def _home() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _reports() -> Path:
    """Write the reports, once a process."""
    folder = Path(_home().name)
    table = "data,A,B,C\n" + "".join(
        f"b{i},{i / 10},{(i * 7 % 10) / 10},{0.5 + i / 100}\n" for i in range(6)
    )
    with contextlib.chdir(folder):
        Path("scores.csv").write_text(table)
        known = ("--wide", "--block", "data", "--metric", "m:higher")
        told = (*known, "--blocks", "datasets", "--date", "2026-01-01")
        for name, more in REPORTS.items():
            given = ("compare", "scores.csv", *told, *more, "--out", name)
            assert command(*given)[0] == 0
    return folder


def damages(draw: Any, report: str) -> list[Damage]:
    """Draw how a file of a report is changed, as its manifest says or not."""
    root = _reports()
    files = sorted(
        str(p.relative_to(root)) for p in (root / report).rglob("*") if p.is_file()
    )
    told = [name for name in files if name.endswith(".json")]
    file = draw(st.sampled_from([*told, *told, *told, *files]))
    kind = draw(st.sampled_from(["json", "json", "json", "bytes", "lost", "none"]))
    found: list[Damage] = []
    if kind == "lost":
        found = [{"file": file, "lost": True}]
    elif kind == "json" and file in told:
        held = json.loads((root / file).read_bytes())
        found = [_spoiled(draw, file, held) for _ in range(draw(st.integers(1, 2)))]
    elif kind != "none":
        found = [{"file": file, "bytes": draw(st.integers(0, 10**6))}]
    if kind in ("json", "bytes") and draw(st.booleans()):
        found.append({"file": file, "signed": True})
    return found


def _spoiled(draw: Any, file: str, held: Any) -> Damage:
    """Put junk somewhere into JSON, or take something away."""
    place: list[str | int] = []
    while isinstance(held, dict | list) and held and (not place or draw(DEEPER)):
        at: Any = draw(
            st.sampled_from(sorted(held))
            if isinstance(held, dict)
            else st.integers(0, len(held) - 1)
        )
        place.append(at)
        held = held[at]
    lost = {"file": file, "place": place}
    return {**lost, "junk": draw(JUNK)} if draw(DEEPER) else lost


def _damage(change: Damage) -> None:
    """Change a file; a place that a newer report lacks stays as it is."""
    path = Path(change["file"])
    if change.get("lost"):
        path.unlink()
    elif "bytes" in change:
        draw = Random(change["bytes"])
        words = (b"nan", b"{", b'"', b",", b"\xff")
        path.write_bytes(draw.choice(CHANGES)(path.read_bytes(), draw, words))
    elif "signed" in change:
        pages = path.parents[-2] / "manifest.json"
        whole = (_reports() / path).read_bytes()
        hashes = [hashlib.sha256(x).hexdigest() for x in (whole, path.read_bytes())]
        if path != pages:
            pages.write_text(pages.read_text("utf-8").replace(*hashes), "utf-8")
    else:
        held = json.loads(path.read_bytes())
        with contextlib.suppress(LookupError, TypeError):
            *inner, last = change["place"]
            owner = reduce(lambda one, at: one[at], inner, held)
            owner[last]  # a place that is there
            if "junk" in change:
                owner[last] = change["junk"]
            else:
                del owner[last]
        path.write_text(json.dumps(held, indent=1), "utf-8")


def _verify(draw: Any) -> Case:
    more = draw(st.sampled_from([[], ["--recompute"], ["--json"]]))
    return Case(["verify", "first", *more], {}, ["first"], damages(draw, "first"))


def _diff(draw: Any) -> Case:
    arguments = ["diff", "first", "second", *draw(st.sampled_from([[], ["--json"]]))]
    return Case(arguments, {}, ["first", "second"], damages(draw, "first"))


def _unblind(draw: Any) -> Case:
    found = damages(draw, "blind")
    return Case(["unblind", "blind", "--out", "out"], {}, ["blind"], found)


def _certificate(draw: Any) -> Case:
    found = damages(draw, "first")
    return Case(["certificate", "first", "--out", "out"], {}, ["first"], found)


COMMANDS: Mapping[str, Draw] = {
    "compare wide": _compare_wide,
    "compare long": _compare_long,
    "compare bytes": _bytes,
    "measure": _measure,
    "curves": _curves,
    "mrmc": _mrmc,
    "model": _model,
    "plan": _plan,
    "run": _run,
    "power": _power,
    "verify": _verify,
    "diff": _diff,
    "unblind": _unblind,
    "certificate": _certificate,
}


def cases(name: str) -> st.SearchStrategy[Case]:
    """Return the cases of a command."""
    return st.composite(COMMANDS[name])()


def kept(one: Case) -> Path:
    """Keep a case that failed."""
    KEPT.mkdir(exist_ok=True)
    digest = hashlib.sha256(one.text().encode()).hexdigest()[:8]
    path = KEPT / f"{one.arguments[0]}-{digest}.json"
    path.write_text(one.text(), encoding="utf-8")
    return path


def known_case(path: Path) -> Case:
    """Return a case of the corpus."""
    return Case(**json.loads(path.read_text(encoding="utf-8")))
