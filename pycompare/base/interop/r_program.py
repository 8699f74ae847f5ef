"""A whole R program: it computes the numbers of a report and compares them itself.

Arrays are in CSV files beside it, by position: labels in them are for people. The text
is ASCII; labels and titles stand in string literals and comments only.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pycompare.base.formatting.packed import packed_name
from pycompare.base.interop.r_call import RCall, Repeatable
from pycompare.base.interop.rscript import (
    comment,
    number,
    quote,
    reference_source,
    value,
)
from pycompare.base.interop.values import RVector, is_matrix, r_vector
from pycompare.base.typing import Floats
from pycompare.base.version import __version__

_MOST_INLINE = 24
"""Elements of an argument that stand in the program; larger ones are in a file."""
MOST_DATA = 20_000
"""Predictions, ratings or rows that are written for a program, a copy for each call."""
_MOST_PLAIN = 1_000_000
"""Characters of a CSV file that is not compressed; R reads both."""
_MANY = (
    "{} {} are too many to be written here; from Python, .r_code() of any result "
    "writes them"
)
NOTHING = "No number of this report is computed again"
"""Stands in programs that only state why they compute nothing."""
_BASE = {"base", "stats", "utils", "methods", "graphics", "grDevices", "parallel"}
_PACKAGE = re.compile(r"\b([A-Za-z][A-Za-z0-9.]*)::")
_HEAD = """\
# R program of pycompare {version}. It computes the numbers of this report again from
# the data in the folder 'data', compares each with results.json, prints how many digits
# agree, and ends with status 1 if a number differs. Run it with: Rscript reproduce.R
"""
_COMPILE_NOTHING = """\
# Each function is called a few times; to compile it first would take twice as long.
invisible(compiler::enableJIT(0))
"""


@dataclass(frozen=True, kw_only=True)
class Program:
    """An R program and its data.

    Attributes
    ----------
    text : str
    files : dict of str to str
        CSV files of numbers by name, for the folder ``data``.
    results : tuple of (str, result)
        The results it computes again: number k is ``result_k`` in R, counted from 1.
    """

    text: str
    files: Mapping[str, str] = field(default_factory=dict)
    results: tuple[tuple[str, Any], ...] = ()


class Inputs(Protocol):
    """How R itself makes the arrays of its calls."""

    stem: str
    """The R file with the functions for it."""

    @property
    def origin(self) -> str:
        """Origin of the data of the report, as text."""

    @property
    def reading(self) -> str:
        """The line of R that reads the data of the report."""

    def code(self, values: Floats, columns: tuple[str, ...]) -> str | None:
        """Return the R code of a matrix, with ``{}`` for its labels; None without."""

    def squares(self, result: Any) -> Iterable[tuple[Floats, str]]:
        """Yield squares of algorithms that follow from a result, with their R code.

        The code has ``{0}`` for the result, ``{1}`` for the algorithms.
        """


def program_of_few(
    results: Sequence[tuple[str, Repeatable]], n: int, noun: str
) -> Program:
    """Return the program for titled results of ``n`` data, without calls if many."""
    return program(results) if n <= MOST_DATA else no_program(_MANY.format(n, noun))


def no_program(why: str) -> Program:
    """Return the program that prints why it computes nothing."""
    told = quote(f"{NOTHING}: {why}.")
    head = f"# R program of pycompare {__version__}.\n"
    return Program(text=f'{head}cat(strwrap({told}), sep = "\\n")\n')


def program(
    results: Sequence[tuple[str, Repeatable]], inputs: Inputs | None = None
) -> Program:
    """Return the program for titled results.

    A title is any text; it stands as a comment above its call. Arrays that ``inputs``
    does not know are in files of numbers.
    """
    calls = [(title, result.r_call()) for title, result in results]
    if not any(call for _, call in calls):
        return no_program("R has no counterpart of these results")
    stems = dict.fromkeys(s for _, call in calls if call for s in call.files)
    always = ("chi_points", "accurate_tails", "compare_results")
    sources = {stem: reference_source(stem) for stem in (*stems, *always)}
    data = _Files(inputs)
    tests: dict[str, str] = {}
    call_lines: list[str] = []
    for at, (call, (_, result)) in enumerate(zip(calls, results, strict=True), 1):
        call_lines += _call(at, *call, data, tests)
        data.computed(at, result)
    if data.is_read and inputs is not None:
        sources[inputs.stem] = reference_source(inputs.stem)
    lines = [
        _HEAD.format(version=__version__),
        _COMPILE_NOTHING,
        *(f"# ---- r_reference/{stem}.R\n{text}" for stem, text in sources.items()),
        "# ---- data",
        "folder <- report_folder()",
        *_packages(sources.values()),
        *_reading(inputs if data.is_read else None),
        *data.lines,
        "",
        "# ---- calls",
        *call_lines,
        "# ---- comparison with results.json",
        'compare_results(folder, mget(ls(pattern = "^(result|input)_[0-9]+$")))',
    ]
    text = "\n".join(lines) + "\n"
    return Program(text=text, files=data.files, results=tuple(results))


def _reading(inputs: Inputs | None) -> list[str]:
    """Return the lines that read the data of the report, if anything is made of it."""
    return [] if inputs is None else [comment(inputs.origin), inputs.reading]


def _packages(sources: Any) -> list[str]:
    """Return the line that asks for the packages beside base R."""
    code = (line.split("#")[0] for text in sources for line in text.splitlines())
    packages = {name for line in code for name in _PACKAGE.findall(line)} - _BASE
    return [f"require_packages({value(sorted(packages))})"] if packages else []


def _call(
    at: int, title: str, call: RCall | None, data: _Files, tests: dict[str, str]
) -> Iterator[str]:
    """Yield the call of one result under its title; raw tests of pairs stand once."""
    yield comment(title)
    if call is None:
        yield "# R has no counterpart of this result.\n"
        return
    arguments = {name: data.name(v) for name, v in call.arguments.items()}
    own = {n: code for n, code in arguments.items() if n not in call.of_family}
    inside = ",\n".join(f"  {name} = {code}" for name, code in own.items())
    in_r = f"{call.function}(\n{inside}\n)"
    if not call.of_family:
        yield f'result_{at} <- attempt("result_{at}", {in_r})'
    else:
        if in_r not in tests:
            tests[in_r] = f"pairs_{len(tests) + 1}"
            yield f'{tests[in_r]} <- attempt("{tests[in_r]}", {in_r})'
        family = ", ".join(f"{n} = {arguments[n]}" for n in call.of_family)
        yield f"result_{at} <- adjusted_pairs({tests[in_r]}, {family})"
    given = [f"{name} = {value(v)}" for name, v in settings_of(call).items()]
    yield f"input_{at} <- list({', '.join(given)})\n"


def settings_of(call: RCall | None) -> dict[str, float]:
    """Return the single numbers that a call is given, such as the level.

    NaN is none: it stands for a number that R's function finds separately.
    """
    return {
        name: argument
        for name, argument in (call.arguments.items() if call else ())
        if isinstance(argument, int | float)
        and not isinstance(argument, bool)
        and not math.isnan(argument)
    }


class _Files:
    """The data of a program: each array and each list of labels once, under a name."""

    def __init__(self, inputs: Inputs | None = None) -> None:
        self.files: dict[str, str] = {}
        self.lines: list[str] = []
        self.known: dict[str, str] = {}
        self.frames: dict[Hashable, str] = {}
        self.inputs = inputs
        self.is_read = False  # whether anything is made of the data of the report
        self.squares: dict[Hashable, tuple[str, str]] = {}

    def computed(self, at: int, result: Any) -> None:
        """Keep what R computed of pairs, for calls that take it."""
        for square, code in self.inputs.squares(result) if self.inputs else ():
            key = square.tobytes(), tuple(result.algorithms)
            self.squares.setdefault(key, (f"result_{at}", code))

    def name(self, argument: Any) -> str:
        """Return what stands for an argument in a call: its code, or its name."""
        if not is_matrix(argument):
            return self.named(argument)
        content = argument.values
        if content.dtype == object:
            return self.named(argument)
        # Most calls have the same scores, and to write them takes long.
        rows, columns = tuple(argument.index), tuple(argument.columns)
        if rows == columns and (content.tobytes(), rows) in self.squares:
            self.is_read = True
            result, code = self.squares[content.tobytes(), rows]
            return code.format(result, self.once("labels", value(list(columns))))
        key = content.tobytes(), rows, columns
        if key not in self.frames:
            of_data = self.of_data(content, rows, columns)
            self.frames[key] = of_data or self.named(argument)
        return self.frames[key]

    def of_data(
        self, content: Any, rows: tuple[str, ...], columns: tuple[str, ...]
    ) -> str | None:
        """Return the name of a matrix that R makes of the data of the report."""
        code = None if self.inputs is None else self.inputs.code(content, columns)
        if code is None:
            return None
        self.is_read = True
        names = (self.once("labels", value([*each])) for each in (rows, columns))
        return self.once("data", code.format(f", list({', '.join(names)})"))

    def named(self, argument: Any) -> str:
        """Return what stands for an argument that is not known yet."""
        vector = r_vector(argument)
        if len(vector.values) <= _MOST_INLINE and vector.shape is None:
            return value(argument)
        if vector.kind == "double":
            return self.array(vector)
        return self.once("labels", value(argument))

    def once(self, stem: str, code: str, key: str = "") -> str:
        """Return the name of a value, which is written if it is new."""
        key = key or code
        if key not in self.known:
            names = sum(name.startswith(f"{stem}_") for name in self.known.values())
            self.known[key] = f"{stem}_{names + 1}"
            self.lines.append(f"{self.known[key]} <- {code}")
        return self.known[key]

    def array(self, vector: RVector) -> str:
        """Return the name of an array, whose numbers are in a file."""
        text = _csv_of(vector)
        n = 1 if vector.shape is None else vector.shape[1]
        same = [name for name, known in self.files.items() if known == text]
        file = same[0] if same else csv_name(f"r_{len(self.files) + 1}", text)
        self.files[file] = text
        read = f"read_numbers(folder, {quote(file)}, {n}{self.labels(vector)})"
        if vector.shape is None:
            read = f"{read}[, 1]"
        return self.once("data", read)

    def labels(self, vector: RVector) -> str:
        """Return the argument of row and column names, if there are any."""
        if vector.labels is None:
            return ""
        rows, columns = (self.once("labels", value(list(v))) for v in vector.labels)
        return f", list({rows}, {columns})"


def csv_name(stem: str, text: str) -> str:
    """Return the name of a CSV file that R reads; a large one is compressed."""
    return packed_name(f"{stem}.csv", large=len(text) > _MOST_PLAIN)


def _csv_of(vector: RVector) -> str:
    """Return an array as a CSV file, each row under its label."""
    n, m = vector.shape or (len(vector.values), 1)
    rows, columns = vector.labels or (
        [str(i + 1) for i in range(n)],
        [str(j + 1) for j in range(m)],
    )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["", *map(_shown, columns)])
    shown = {v: "" if v is None else number(v) for v in {*vector.values}}
    cells = [number(v) if v == 0 else shown[v] for v in vector.values]  # 0.0 == -0.0
    for i in range(n):
        writer.writerow([_shown(rows[i]), *cells[i::n]])
    return text.getvalue()


def _shown(label: str) -> str:
    """Return a label that no spreadsheet runs; R does not read it."""
    return f"'{label}" if label.lstrip("' \t")[:1] in ("=", "+", "-", "@") else label
