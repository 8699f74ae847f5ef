"""Commands with files and options that nobody would write: done, or refused clearly.

A case is done with whole output, or ends in one clear error and leaves nothing. No
traceback, no warning, no NaN as a verdict, and the same p-values from the same data in
other words (``tests.same_data``). Two cases in three are plausible and reach the
computation, the others hold what nobody would write. ``tests.fuzz`` tries new cases for
a given time; what fails is kept in ``tests/fuzz_corpus/commands`` and tried again by
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache, reduce
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import click
from hypothesis import strategies as st

import pycompare as pc
from pycompare.apps.cli.app import cli
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.toml_text import plan_text
from tests.byte_fuzz import CHANGES, CORPUS, limited
from tests.command_line import command
from tests.conftest import blank_drawings
from tests.same_data import differing, retold
from validation.random_plans import case

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
        if status == 0 or (one.arguments[0] == "gate" and status in (1, 3)):
            wrong = _wrong_when_done(one, said, complained, written)
            return wrong or _wrong_in_other_words(one) or DONE
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
        try:
            json.loads(said)
        except ValueError as error:
            return f"--json prints no JSON, {error}: {said[:200]}"
    out = Path("out")
    return _wrong_report(out) if (out / "results.json").is_file() else ""


def _wrong_in_other_words(one: Case) -> str:
    """Run a command that was done on the same data in other words."""
    first = Path("out") / "results.json"
    table, plan = one.files.get("scores.csv"), one.files.get("plan.toml", "")
    drawn = "--ranking" in one.arguments  # flips in the order of the cases
    if table is None or not first.is_file() or drawn:
        return ""
    told = retold(one.arguments, table.encode("latin-1").decode("utf-8"), plan)
    if told is None:
        return ""
    before = json.loads(first.read_bytes())
    shutil.rmtree("out")
    Path("out.key.json").unlink(missing_ok=True)
    Path("scores.csv").write_text(told[1], encoding="utf-8")
    try:
        with blank_drawings():  # its numbers are compared
            status, _, complained = command(*told[0])
    except BaseException:
        return f"in other words: {traceback.format_exc()}"
    if status:
        return f"in other words it is refused: {complained}"
    return differing(before, json.loads(first.read_bytes()))


def _wrong_when_refused(status: int, complained: str, written: list[str]) -> str:
    if status != 2 or not complained.startswith("pycompare: "):
        return f"status {status}: {complained}"
    if re.search("Traceback|Warning|not enough memory", complained):
        return f"it is refused with: {complained}"
    several = " problems:" in complained or " open questions:" in complained
    if len(complained.splitlines()) > 1 and not several:
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
    *("a:b", "I(x)", "A:B", "C(A)", "`", "A B", "True", "1", "2024-01-01", " A"),
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


PROBABILITIES = (
    st.floats(0.05, 0.95).map(lambda x: f"{x:.3f}"),
    st.floats(0, 1).map(lambda x: f"{x:.2f}"),
    st.floats(0.05, 0.95).map(repr),
    st.integers(0, 9).map(lambda x: f"0.{x}"),
    st.sampled_from(["0", "1"]),
)
PLAUSIBLE_COLUMNS = (
    *PROBABILITIES,
    st.floats(0.1, 1).map(lambda x: f"{x:.3f}e-9"),
    st.floats(0.1, 1).map(lambda x: f"{x:.3f}e300"),
    st.floats(0.1, 1).map(lambda x: f"{x:.3f}e-300"),
    st.integers(0, 99).map(lambda x: str(10**15 + x)),
)
"""Numbers that are scores: a column has those of one kind."""
Kinds = tuple[st.SearchStrategy[str], ...]


class Author:
    """Draws a case that is plausible, or one in which nothing is certain.

    Attributes
    ----------
    hostile : bool
    """

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self.hostile: bool = draw(st.sampled_from([False, True, False, False]))

    def __call__(self, strategy: st.SearchStrategy[Any]) -> Any:
        """Draw a value."""
        return self._draw(strategy)

    def count(self, least: int, plausible: int, most: int) -> int:
        """Draw a whole number, from ``plausible`` on if the case is so."""
        return int(self(st.integers(least if self.hostile else plausible, most)))


def rarely(draw: Author) -> bool:
    """Draw yes about once in twenty; hypothesis likes both ends of a range."""
    return bool(draw(st.integers(0, 19)) == 13)


def named(draw: Author, least: int, most: int) -> list[str]:
    """Draw different names, plain ones half of the time."""
    if draw(st.booleans()):
        return list("ABCDE"[: draw(st.integers(least, most))])
    some = st.lists(st.sampled_from(NAMES), min_size=least, max_size=most, unique=True)
    return list(draw(some))


def column(
    draw: Author, plausible: Kinds = PLAUSIBLE_COLUMNS
) -> st.SearchStrategy[str]:
    """Draw what the cells of a column are like."""
    kinds = KINDS_OF_COLUMN if draw.hostile else plausible
    return draw(st.sampled_from(kinds))


# ---- tables --------------------------------------------------------------------------


def flawed(draw: Author, rows: Rows) -> str:
    """Return a table as a file; a hostile one mostly with one thing wrong."""
    rows = [list(row) for row in rows]
    wrong = st.sampled_from([0, 1, 1, 2] if draw.hostile else [0])
    for _ in range(draw(wrong)):
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
    if draw.hostile and rarely(draw):
        draw_byte = Random(draw(st.integers(0, 10**6)))
        data = draw_byte.choice(CHANGES)(data, draw_byte, ())
    return data.decode("latin-1")


def wide(draw: Author) -> Rows:
    """Draw scores, a column an algorithm; columns and rows may be constant or alike."""
    names, one = named(draw, 2, 5), column(draw)
    if not draw.hostile and rarely(draw):
        return many(draw)
    other = draw.hostile and draw(st.booleans())
    cells = [column(draw) if other else one for _ in names]
    count = draw(st.sampled_from([3, 2, 1, 3, 5, 5, 8, 12]))
    count += not draw.hostile and count < 3
    rows = [["data", *names]]
    odd = draw(st.sampled_from([False, False, True]))
    blocks = draw(st.permutations(NAMES)) if odd else [f"b{b}" for b in range(count)]
    for b in range(count):
        twin = b > 1 and draw(st.integers(0, 4)) == 0
        rows.append([blocks[b], *(rows[1][1:] if twin else map(draw, cells))])
    return rows


def many(draw: Author) -> Rows:
    """Draw scores of many algorithms on some blocks, or of a few on many."""
    algorithms, blocks = draw(st.sampled_from([(25, 8), (120, 4), (3, 300), (2, 2000)]))
    # Hypothesis takes few numbers for a simple case, which this is none.
    drawn = draw(st.lists(st.integers(0, 9), min_size=200, max_size=200))
    random = Random(str(drawn))
    digits = draw(st.sampled_from([1, 2, 17]))
    rows = [["data", *(f"A{a}" for a in range(algorithms))]]
    for b in range(blocks):
        scores = [f"{random.random():.{digits}f}" for _ in range(algorithms)]
        rows.append([f"b{b}", *scores])
    return rows


def gaps(draw: Author, rows: Rows, scored: int) -> list[str]:
    """Leave a few scores out now and then, and say what to do with their blocks.

    ``scored`` is the number of columns before the scores.
    """
    if draw.hostile or draw(st.integers(0, 5)):
        return []
    for _ in range(draw(st.integers(1, 3))):
        row = rows[draw(st.integers(1, len(rows) - 1))]
        row[draw(st.integers(scored, len(row) - 1))] = ""
    return ["--missing", draw(st.sampled_from(["drop-block", "model"]))]


def long(draw: Author) -> Rows:
    """Draw two metrics, a row a cell, with data sets, runs and groups."""
    names, cells = named(draw, 2, 4), (column(draw), column(draw))
    sets = draw.count(1, 1, 4)
    folds = draw.count(1, 2, 4)
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


def predicted(draw: Author, plausible: Kinds = PLAUSIBLE_COLUMNS) -> Rows:
    """Draw predictions of two algorithms or three on some folds."""
    names, cell = named(draw, 2, 3), column(draw, plausible)
    folds, cases = draw.count(1, 2, 4), draw.count(2, 4, 9)
    other = draw(st.sampled_from(["no", "no", "nan", "<b>", "no"]))
    labels = [("yes", other)[at % 2] for at in range(folds * cases)]
    for at in draw(st.lists(st.integers(0, len(labels) - 1), max_size=3)):
        # The first two cases of a plausible fold are one of each class.
        if draw.hostile or at % cases > 1:
            labels[at] = draw(st.sampled_from(["yes", other]))
    third = draw(st.sampled_from(["", "", "maybe"]))
    if third:
        labels = [
            third if at % cases > 2 + at % 2 else x for at, x in enumerate(labels)
        ]
    rows = [["algorithm", "data", "fold", "case", "label", "score"]]
    for name in names:
        for at, label in enumerate(labels):
            fold = at // cases
            known = [name, f"d{fold % 2}", f"{fold}", f"c{at}", label]
            rows.append([*known, draw(cell)])
    return rows


def classes(draw: Author, rows: Rows) -> list[str]:
    """Say which class is positive, and what the others are; name the data sets."""
    others = list(dict.fromkeys(row[4] for row in rows[1:] if row[4] != "yes"))
    known = ["--positive", "yes"]
    if len(others) > 1 and not draw.hostile:
        pair = ["--classes", "yes", draw(st.sampled_from(others))]
        known += draw(st.sampled_from([["--rest"], pair]))
    return known + draw(st.sampled_from([[], ["--dataset", "data"]]))


def rated(draw: Author, design: str) -> Rows:
    """Draw ratings of two modalities or three by some readers, in a design."""
    cell = column(draw)
    readers, cases = draw.count(1, 2, 4), draw.count(3, 4, 9)
    rows = [["modality", "reader", "case", "truth", "patient", "rating"]]
    for modality in named(draw, 2, 3):
        for reader in range(readers):
            for number in range(cases):
                told = {"modality": modality, "reader": f"r{reader}"}
                told["case"], patient = str(number), f"p{number // 2}"
                if " in " in design:
                    inner, outer = design.split(" in ")
                    told[inner] += f" of {told[outer]}"
                    patient += f" of {told[outer]}" if inner == "case" else ""
                elif design == "incomplete" and not draw(st.integers(0, 9)):
                    continue
                known = [*told.values(), str(number % 2), patient]
                rows.append([*known, draw(cell)])
    return rows


DESIGNS = {
    "": [],
    "case in reader": ["--design", "cases-in-readers"],
    "case in modality": ["--design", "cases-in-modalities"],
    "reader in modality": ["--design", "readers-in-modalities"],
    "incomplete": ["--design", "incomplete"],
}
"""Designs of reader studies, with what declares them."""


def fought(draw: Author) -> Rows:
    """Draw battles of some models, decided by some voters."""
    names, voters = named(draw, 2, 4), draw.count(1, 10, 14)
    outcomes = ["model_a", "model_b", "tie", "tie (bothbad)"]
    rows = [["model_a", "model_b", "winner", "judge", "language"]]
    for at in range(draw.count(1, 30, 80)):
        pair = draw(st.permutations(names))[:2]
        odd = draw.hostile and rarely(draw)
        outcome = draw(CELLS if odd else st.sampled_from(outcomes))
        rows.append([*pair, outcome, f"v{at % voters}", f"l{at % 2}"])
    return rows


def answered(draw: Author) -> Rows:
    """Draw answers of two models or three to items of two topics, with a judge."""
    cell = draw(st.sampled_from([st.sampled_from("01"), *[column(draw)] * 2]))
    judge = column(draw)
    rows = [["model", "item", "topic", "acc", "judge", "human"]]
    items, labelled = draw.count(2, 30, 45), draw.count(0, 10, 20)
    for name in named(draw, 2, 3):
        for at in range(items):
            label = draw(cell) if at < labelled else ""
            rows.append([name, f"q{at}", f"t{at % 2}", draw(cell), draw(judge), label])
    return rows


def factors(draw: Author) -> Rows:
    """Draw a table for a linear model.

    B crosses A, C is nested in A and B, twin says the same as A, x and z are numbers.
    Rows may be missing, at random or of a whole cell.
    """
    cells = [column(draw), column(draw), column(draw)]
    names = named(draw, 2, 4)
    exact = draw(st.sampled_from([None, None, None, None, "A", "x", "all"]))
    rows = [["score", "x", "A", "B", "C", "twin", "z"]]
    for at in range(draw.count(2, 12, 30)):
        name = draw(st.sampled_from(names)) if draw.hostile else names[at % len(names)]
        unit = f"u{at // len(names) % 4}"
        score, x, z = map(draw, cells)
        if exact is not None:
            score = {"A": str(names.index(name)), "x": x, "all": "0.5"}[exact]
        nested = f"{name}/{unit}/{at // len(names) // 4 % 2}"
        rows.append([score, x, name, unit, nested, f"t {name}", z])
    lost = draw(st.sampled_from(["none", "none", "some", "cell"]))
    if lost == "some":
        gone = draw(st.sets(st.integers(1, len(rows) - 1), max_size=5))
        rows = [row for at, row in enumerate(rows) if at not in gone or len(rows) < 9]
    elif lost == "cell":
        rows = [rows[0], *(r for r in rows[1:] if (r[2], r[3]) != (names[0], "u0"))]
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
FITTING = {
    "--adjust": "holm bonferroni hochberg BH BY tukey",
    "--decimals": "1 3",
    "--margin": "0.1 1e-3",
    "--means": "A B A:B C twin",
    "--contrasts": "A B A:B",
    "--within": "B B/A B/C C",
    "--type": "1 2 3",
    "--permutations": "0 20",
    "--resamples": "20",
    "--seed": "0 1 20",
    "--threshold": "0.5",
    "--n": "5 20 50",
    "--correlation": "0 0.5 0.9 -0.3",
    "--auc-1": "0.7 0.8",
    "--auc-2": "0.75 0.9 0.99",
    "--null": "0.5 0.6",
    "--areas": "0.75 0.8 0.85 0.7",
    "--difference": "0.05 0.1 0.5 -0.3",
    "--sd": "0.1 0.5 1",
    "--n-cases": "20 40",
    "--n-readers": "3 5",
    "--variance": "obuchowski hanley-mcneil",
    "--test-share": "0.1 0.5",
    "--only-first": "0.1 0.2",
    "--only-second": "0.05 0.3",
    "--date": "2026-01-01",
    "--format": "html,md html,latex,text html,docx html,rtf",
}
"""What may be said of plausible data; of other words and numbers see ``_fitting``."""
UNFIT = {
    *("--wide", "--predictions", "--model", "--seal", "--results-format", "--sep"),
    *("--decimal", "--sheet", "--blocks", "--replicates", "--compares", "--groups"),
    *("--average-folds", "--generalise", "--hypothesis", "--margin-alpha"),
    *("--cost-ratio", "--loss", "--train", "--test", "--fpr-range", "--design"),
    *("--mixed", "--link", "--reader-effects", "--null", "--rest", "--figure"),
    *("--method", "--error", "--df", "--target", "--top-share"),
}
"""Options that suit only some data, or need another one; see ``TOGETHER``."""
TOGETHER = {
    "compare": (
        *("--train 10 --test 2", "--margin 0.1 --hypothesis equivalence"),
        *("--generalise training-sets --protocol held-out", "--n-folds 5"),
    ),
    "mrmc": (
        *("--figure partial_auc --fpr-range 0 0.5", "--figure mean --better lower"),
        *("--figure sensitivity --threshold 0.5", "--method dbm", "--method or"),
        *("--mixed accuracy --threshold 0.5", "--error pooled", "--df 1992"),
        *("--only A --null 0.5", "--link probit --mixed accuracy --threshold 0.5"),
    ),
    "model": (
        *("--within B --method reml", "--within B --df satterthwaite"),
        *("--within B/A --method reml", "--within C --method strata"),
        *("--means A --contrasts A --adjust single-step", "--permutations 20 --seed 1"),
    ),
    "curves": ("--train 10 --test 2",),
    "measure": ("--fpr-range 0 0.5",),
}
"""Options that suit one another."""
KEPT_OUT = {
    *("--out", "--overwrite", "--help", "--workers", "--scheduler", "--trials"),
    *("--cross-check", "--keep", "--pilot", "--help-all"),
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


def options(draw: Author, *path: str) -> list[str]:
    """Draw up to six options of a command; those of a plausible case may fit."""
    one = (_any if draw.hostile else _fitting)(path)
    if one.is_empty:
        return []
    few = st.one_of(
        st.just([]), *[st.lists(one, max_size=most) for most in (1, 3, 3, 6)]
    )
    return [word for part in draw(few) for word in part]


@cache
def _any(path: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.one_of([_given(option) for option in declared(path)])


@cache
def _fitting(path: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    one_by_one = [o for o in declared(path) if not UNFIT & set(o.opts)]
    some = [f for o in one_by_one if (f := fitting(o)) is not None]
    pairs = [tuple(words.split()) for words in TOGETHER.get(path[0], ())]
    return st.one_of(*some, *([st.sampled_from(pairs)] if pairs else []))


def fitting(option: click.Option) -> st.SearchStrategy[tuple[str, ...]] | None:
    """Draw an option with a value that suits plausible data, if one is known."""
    name, kind = st.just(option.opts[0]), option.type
    if option.is_flag:
        return st.tuples(name)
    if isinstance(kind, click.Choice):
        return st.tuples(name, st.sampled_from(kind.choices))
    known = {click.FLOAT: "0.05 0.1 0.5 0.9", click.INT: "2 3 20"}
    values = FITTING.get(option.opts[0], known.get(kind))
    if values is None or option.nargs > 1:
        return None
    return st.tuples(name, st.sampled_from(values.split()))


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

PLAIN_FORMULAS = st.sampled_from(
    [
        *("score ~ A", "score ~ A + B", "score ~ A * B", "score ~ A + x"),
        *("cbind(score, x) ~ A", "score ~ B / A", "score ~ A * x"),
        *("cbind(score, x) ~ A + B", "score ~ x", "score ~ B + A:B"),
    ]
)
PARTS = st.sampled_from(
    [
        *("A", "A", "B", "x", "z", "C", "twin", "A:B", "A:x", "B:x", "x:z", "A:B:x"),
        *("A/B", "B/A", "A/C", "B %in% A", "C %in% A", "A*B", "A*B*x", "(A + B + x)^2"),
        *("poly(x, 2)", "poly(z, 3)", "center(x)", "scale(x)", "log(x)", "sqrt(z)"),
        *("C(x)", "A:poly(x, 2)", "`A`", '"B"', "0", "1", "A:twin"),
    ]
)
ANY_FORMULAS = st.tuples(
    st.sampled_from(["score", "score", "log(score)", "cbind(score, x)", "sqrt(z)"]),
    st.lists(PARTS, min_size=1, max_size=4),
    st.sampled_from(["", "", "", " - 1", " - A:B", " - x"]),
).map(lambda said: f"{said[0]} ~ {' + '.join(said[1])}{said[2]}")
FITTING_FORMULAS = st.one_of(PLAIN_FORMULAS, ANY_FORMULAS, ANY_FORMULAS)
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
    *("--label", "label", "--score", "score"),
)
RATINGS = (
    *("scores.csv", "--modality", "modality", "--reader", "reader", "--case", "case"),
    *("--rating", "rating", "--truth", "truth", "--positive", "1"),
)
FITTING_MEASURES = (
    *("error", "accuracy", "auc", "average_precision", "f1", "tpr", "specificity"),
    "log_loss",
)
MEASURES = ("error", "x", "log_loss", "average_precision", "f1", "accuracy", "auc")
Draw = Callable[[Author], Case]


def _compare_wide(draw: Author) -> Case:
    rows = wide(draw)
    blocks = draw(st.sampled_from(["datasets", "datasets", "folds", "cases"]))
    known = ["--wide", "--block", "data", "--metric", "m:higher", "--blocks", blocks]
    if not draw.hostile:
        known += [w for name in rows[0][1:] for w in ("--algorithms", name)]
        known += control(draw, rows[0][1:])
    known += gaps(draw, rows, 1)
    more = options(draw, "compare")
    arguments = ["compare", "scores.csv", *known, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def control(draw: Author, names: list[str]) -> list[str]:
    """Draw one of the algorithms to compare with, now and then."""
    asked = not draw(st.integers(0, 4))
    return ["--control", draw(st.sampled_from(names))] if asked else []


def _compare_long(draw: Author) -> Case:
    rows = long(draw)
    runs = ["--replicate", "run"] if any(row[3] == "1" for row in rows) else []
    if runs and not draw.hostile:
        runs += ["--replicates", draw(st.sampled_from(["keep", "average"]))]
    known = ["--algorithm", "algorithm", "--block", "fold", "--dataset", "data", *runs]
    metrics = draw(st.sampled_from([["m1:lower"], ["m1:higher", "m2:lower"]]))
    for metric in metrics:
        known += ["--metric", metric]
    if not draw.hostile:
        known += control(draw, list(dict.fromkeys(row[0] for row in rows[1:])))
    known += gaps(draw, rows, 5)
    more = options(draw, "compare")
    arguments = ["compare", "scores.csv", *known, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def _measure(draw: Author) -> Case:
    known = st.sampled_from(MEASURES if draw.hostile else FITTING_MEASURES)
    metrics = draw(st.lists(known, min_size=1, max_size=2, unique=not draw.hostile))
    asked = [word for name in metrics for word in ("--metric", name)]
    rows = predicted(draw, PROBABILITIES)
    more = [*classes(draw, rows), *options(draw, "measure")]
    arguments = ["measure", *PREDICTIONS, *asked, *more, "--out", "out.csv"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def _curves(draw: Author) -> Case:
    rows = predicted(draw)
    more = [*classes(draw, rows), *options(draw, "curves")]
    arguments = ["curves", *PREDICTIONS, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def _mrmc(draw: Author) -> Case:
    out = draw(st.sampled_from([(), ("--out", "out")]))
    design = draw(st.sampled_from(["", "", "", *DESIGNS]))
    known = [*RATINGS, *DESIGNS[design]]
    known += draw(st.sampled_from([[], [], [], ["--cluster", "patient"]]))
    arguments = ["mrmc", *known, *options(draw, "mrmc"), *out]
    return Case(arguments, {"scores.csv": flawed(draw, rated(draw, design))})


def _model(draw: Author) -> Case:
    out = draw(st.sampled_from([(), (), ("--out", "out")]))
    formula = draw(FORMULAS if draw.hostile else FITTING_FORMULAS)
    known = ("scores.csv", "--formula", formula)
    arguments = ["model", *known, *options(draw, "model"), *out]
    return Case(arguments, {"scores.csv": flawed(draw, factors(draw))})


def _battles(draw: Author) -> Case:
    more = draw(st.sampled_from([[], ["--voter", "judge"], ["--group", "language"]]))
    out = draw(st.sampled_from([(), ("--out", "out")]))
    arguments = ["battles", "scores.csv", *more, *options(draw, "battles"), *out]
    return Case(arguments, {"scores.csv": flawed(draw, fought(draw))})


def _gate(draw: Author) -> Case:
    rows = answered(draw)
    names = [*dict.fromkeys(row[0] for row in rows[1:])]
    pair = ["--baseline", names[0], "--candidate", names[-1], "--margin", "0.2"]
    known = ["--algorithm", "model", "--block", "item", "--metric", "acc:higher", *pair]
    known += draw(st.sampled_from([[], ["--small", "report"], ["--slices", "topic"]]))
    known += draw(st.sampled_from([[], ["--range", "0,1"]]))
    arguments = ["gate", "scores.csv", *known, *options(draw, "gate"), "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, rows)})


def _compare_cases(draw: Author) -> Case:
    """Labels beside a judge, or a challenge."""
    known = ["--algorithm", "model", "--block", "item", "--blocks", "cases"]
    ranking = ["--ranking", "rank-then-aggregate", "--metric", "acc:higher"]
    tasks = [*ranking, "--group", "topic", "--weights", "equal"]
    judged = ["--metric", "human:higher", "--judge", "judge", "--labels", "random"]
    strata = [*judged[:-1], "strata", "--stratum", "topic"]
    known += draw(st.sampled_from([judged, judged, strata, ranking, tasks]))
    more = options(draw, "compare")
    arguments = ["compare", "scores.csv", *known, *more, "--out", "out"]
    return Case(arguments, {"scores.csv": flawed(draw, answered(draw))})


def _plan(draw: Author) -> Case:
    table, how = draw(
        st.sampled_from(
            [(wide, "--wide"), (predicted, "--predictions"), (factors, "--model")]
        )
    )
    arguments = ["plan", "scores.csv", how, *options(draw, "plan"), "--out", "out.toml"]
    return Case(arguments, {"scores.csv": flawed(draw, table(draw))})


ODD = st.sampled_from(
    [
        *("", "true", "0.05", '"holm"', "-1", "[]", "{}", '"scores.csv"', "nan"),
        *("1e999", "'x'", "1979-05-27", "[[1]]", "{ a = 1 }", '"\\u0000"'),
    ]
)
SEEDS = st.integers(5, 10**6)
"""Of random plans; the first one, which hypothesis tries each time, is a small one."""


def _run(draw: Author) -> Case:
    """Draw scores of any shape and a plan over every key; hostile ones are changed."""
    scores, plan = next(_accepted(count(draw(SEEDS))))
    lines = plan_text(_roles(scores), scores.metrics, plan).splitlines()
    for _ in range(draw(st.sampled_from([0, 1, 1, 2] if draw.hostile else [0]))):
        at = draw(st.integers(0, len(lines) - 1))
        name = lines[at].partition("=")[0]
        odd = draw(st.one_of(ODD.map(lambda x, n=name: f"{n} = {x}"), WORDS))
        lines[at] = odd
    frame = scores.to_frame().astype(object)
    table = flawed(draw, [list(frame), *frame.map(str).values.tolist()])
    files = {"scores.csv": table, "plan.toml": _latin("\n".join(lines))}
    return Case(["run", "plan.toml", *options(draw, "run"), "--out", "out"], files)


def _roles(scores: pc.Scores) -> Roles:
    """Return the columns that ``Scores.to_frame`` writes."""
    columns = {"algorithm": "algorithm", "block": "block", "missing": scores.missing}
    columns |= {"dataset": "dataset"} if scores.datasets else {}
    columns |= {"group": "group"} if scores.groups else {}
    columns |= {"replicate": "run"} if scores.replicates else {}
    return Roles(file="scores.csv", **columns)


def _accepted(seeds: Iterable[int]) -> Iterator[tuple[pc.Scores, pc.Plan]]:
    for seed in seeds:
        make_scores, make_plan = case(seed)
        with contextlib.suppress(pc.PyCompareError):
            scores = make_scores()
            plan = make_plan(scores)
            plan.settled(scores)
            yield scores, plan


def _power(draw: Author) -> Case:
    design = draw(st.sampled_from(_below("power")))
    asked = [word for truth in truths(draw, design) for word in truth]
    more = options(draw, "power", design)
    if not draw.hostile and draw(st.sampled_from([True, True, False])):
        asked += ["--n", draw(st.sampled_from(["5", "20", "50"]))]
    out = draw(st.sampled_from([(), ("--out", "out"), ()]))
    return Case(["power", design, *asked, *more, "--trials", "20", *out])


def _simulate(draw: Author) -> Case:
    studies = [name for name in _below("simulate") if name != "power-formulas"]
    study = draw(st.sampled_from(studies))  # that one has no size to choose
    more = options(draw, "simulate", study)
    return Case(["simulate", study, *more, "--trials", "2"])


def truths(draw: Author, design: str) -> list[tuple[str, ...]]:
    """Draw what only some designs are told, but for pilots; several times in a row."""
    shared = {option.opts[0] for option in declared(("power", "sign"))}
    shared -= {"--win", "--tie"}
    own = [o for o in declared(("power", design)) if o.opts[0] not in shared]
    own = [option for option in own if "pilot" not in option.opts[0]]
    drawn = []
    for option in own:
        often = 1 + option.multiple
        if option.opts[0] == "--means" and not draw.hostile:
            often = draw(st.sampled_from([4, 6] if design == "manova" else [3, 4]))
            each = st.floats(0.1, 1).map(lambda x: ("--means", f"{x:.2f}"))
        else:
            each = (_given if draw.hostile else _told)(option)
        drawn += [draw(each) for _ in range(often)]
    return drawn


def _told(option: click.Option) -> st.SearchStrategy[tuple[str, ...]]:
    known = fitting(option)
    return _given(option) if known is None else known


@cache
def _below(name: str) -> list[str]:
    """Return the commands of a group."""
    context = click.Context(cli)
    group: Any = cli.get_command(context, name)
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


def damages(draw: Author, report: str) -> list[Damage]:
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


def _spoiled(draw: Author, file: str, held: Any) -> Damage:
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


def _verify(draw: Author) -> Case:
    more = draw(st.sampled_from([[], ["--recompute"], ["--json"]]))
    return Case(["verify", "first", *more], {}, ["first"], damages(draw, "first"))


def _diff(draw: Author) -> Case:
    arguments = ["diff", "first", "second", *draw(st.sampled_from([[], ["--json"]]))]
    return Case(arguments, {}, ["first", "second"], damages(draw, "first"))


def _unblind(draw: Author) -> Case:
    found = damages(draw, "blind")
    return Case(["unblind", "blind", "--out", "out"], {}, ["blind"], found)


def _certificate(draw: Author) -> Case:
    found = damages(draw, "first")
    return Case(["certificate", "first", "--out", "out"], {}, ["first"], found)


COMMANDS: Mapping[str, Draw] = {
    "compare wide": _compare_wide,
    "compare long": _compare_long,
    "compare cases": _compare_cases,
    "battles": _battles,
    "gate": _gate,
    "measure": _measure,
    "curves": _curves,
    "mrmc": _mrmc,
    "model": _model,
    "plan": _plan,
    "run": _run,
    "power": _power,
    "simulate": _simulate,
    "verify": _verify,
    "diff": _diff,
    "unblind": _unblind,
    "certificate": _certificate,
}


def cases(name: str) -> st.SearchStrategy[Case]:
    """Return the cases of a command."""
    return st.composite(lambda draw: COMMANDS[name](Author(draw)))()


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
