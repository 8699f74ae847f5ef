"""A whole R program: it computes the numbers of a report and compares them itself.

Arrays are in CSV files beside it, by position: labels in them are for people. The text
is ASCII; labels and titles stand in string literals and comments only.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
NAMES = "\0"
"""The place of the names of a matrix in its R code; no label can hold it."""
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

    @property
    def stems(self) -> tuple[str, ...]:
        """The R files with the functions for it."""

    @property
    def origin(self) -> str:
        """Origin of the data of the report, as text."""

    @property
    def reading(self) -> Mapping[str, str]:
        """Objects that R makes of the data first: code by name."""

    def code(self, values: Floats, columns: tuple[str, ...] | None) -> str | None:
        """Return the R code of an array, None without.

        That of a matrix with names has ``NAMES`` for them; ``columns`` are its columns.
        """

    def labels(self, labels: Sequence[str]) -> str | None:
        """Return the R code of many labels of rows, None without."""

    def stage(self, result: Any) -> int:
        """Return 0, or more for a result that follows those of lower stages."""

    def of_results(
        self,
        result: Any,
        computed: Mapping[str, Any],
        named: Callable[[Sequence[str]], str],
    ) -> Iterable[tuple[Floats, str]]:
        """Yield arrays that a call takes from results before it, with their R code.

        ``computed`` has these results by their names in R; ``named`` returns the name
        of a list of labels.
        """


def _digest(array: NDArray[Any]) -> bytes:
    """Return what stands for the bytes of an array, which may be many."""
    return hashlib.blake2b(np.ascontiguousarray(array).data).digest()


def _digested(pair: tuple[Floats, str]) -> tuple[bytes, str]:
    values, code = pair
    return _digest(values), code


def program_of_few(
    results: Sequence[tuple[str, Repeatable]], n: int, noun: str, inputs: Inputs
) -> Program:
    """Return the program for titled results of ``n`` data, without calls if many."""
    if n > MOST_DATA:
        return no_program(_MANY.format(n, noun))
    return program(results, inputs)


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
    data = _Files(inputs)
    tests: dict[str, str] = {}
    call_lines: list[str] = []
    stems: dict[int, tuple[str, ...]] = {}
    numbered = list(enumerate(results, 1))
    if inputs is not None:
        numbered.sort(key=lambda entry: inputs.stage(entry[1][1]))
    for at, (title, result) in numbered:
        data.prepare(result)
        call = result.r_call()  # its arrays may be large: one call after the other
        if call is not None:
            stems[at] = call.files
        call_lines += _call(at, title, call, data, tests)
        data.computed[f"result_{at}"] = result
    if not stems:
        return no_program("R has no counterpart of these results")
    in_order = chain.from_iterable(stems[at] for at in sorted(stems))
    always = ("chi_points", "accurate_tails", "compare_results")
    sources = {stem: reference_source(stem) for stem in (*in_order, *always)}
    if inputs is not None:
        sources |= {stem: reference_source(stem) for stem in inputs.stems}
    lines = [
        _HEAD.format(version=__version__),
        _COMPILE_NOTHING,
        *(f"# ---- r_reference/{stem}.R\n{text}" for stem, text in sources.items()),
        "# ---- data",
        "folder <- report_folder()",
        *_packages(sources.values()),
        *(_reading(inputs, [*data.lines, *call_lines]) if inputs else []),
        *data.lines,
        "",
        "# ---- calls",
        *call_lines,
        "# ---- comparison with results.json",
        'compare_results(folder, mget(ls(pattern = "^(result|input)_[0-9]+$")))',
    ]
    text = "\n".join(lines) + "\n"
    return Program(text=text, files=data.files, results=tuple(results))


def _reading(inputs: Inputs, code: Sequence[str]) -> list[str]:
    """Return the lines that read the data of the report, as far as they are used."""
    lines: list[str] = []
    for name, built in [*inputs.reading.items()][::-1]:
        if any(re.search(rf"\b{name}\b", line) for line in (*lines, *code)):
            lines.insert(0, f"{name} <- {built}")
    return [comment(inputs.origin), *lines]


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
        self.computed: dict[str, Any] = {}  # by name in R
        self.prepared: dict[bytes, str] = {}  # from results, for the next call

    def prepare(self, result: Any) -> None:
        """Keep the arrays that the call of a result takes from earlier results."""
        if self.inputs is not None:
            arrays = self.inputs.of_results(result, self.computed, self.labels_of)
            # Not in a comprehension: its variable would hold one array beside the next.
            self.prepared = dict(map(_digested, arrays))

    def labels_of(self, labels: Sequence[str]) -> str:
        """Return the name of a list of labels."""
        code = None if self.inputs is None else self.inputs.labels(labels)
        return self.once("labels", code or value([*labels]))

    def name(self, argument: Any) -> str:
        """Return what stands for an argument in a call: its code, or its name."""
        array = _array_of(argument)
        if array is None:
            return self.named(argument)
        digest = _digest(array)
        if digest in self.prepared:
            return self.prepared[digest]
        labels = None
        if is_matrix(argument):
            labels = tuple(argument.index), tuple(argument.columns)
        # Most calls have the same scores, and to write them takes long.
        key = digest, array.shape, labels
        if key not in self.frames:
            of_data = self.of_data(array, labels)
            self.frames[key] = of_data or self.named(argument)
        return self.frames[key]

    def of_data(
        self, array: Floats, labels: tuple[tuple[str, ...], tuple[str, ...]] | None
    ) -> str | None:
        """Return the name of an array that R makes of the data of the report."""
        columns = None if labels is None else labels[1]
        code = None if self.inputs is None else self.inputs.code(array, columns)
        if code is None:
            return None
        names = ""
        if labels is not None:
            each = map(self.labels_of, labels)
            names = f", list({', '.join(each)})"
        return self.once("data", code.replace(NAMES, names))

    def named(self, argument: Any) -> str:
        """Return what stands for an argument that is not known yet."""
        vector = r_vector(argument)
        if len(vector.values) <= _MOST_INLINE and vector.shape is None:
            return value(argument)
        if vector.kind == "double":
            same = self.same_everywhere(vector)
            return self.array(vector) if same is None else same
        return self.once("labels", value(argument))

    def same_everywhere(self, vector: RVector) -> str | None:
        """Return the code of an array whose numbers are all the same; else None."""
        if len(set(vector.values)) != 1 or vector.values[0] is None:
            return None
        repeated = number(vector.values[0])
        if vector.shape is None:
            return f"rep({repeated}, {len(vector.values)})"
        n, m = vector.shape
        return f"matrix({repeated}, {n}, {m}, FALSE{self.labels(vector)})"

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


def _array_of(argument: Any) -> Floats | None:
    """Return an argument with more than one number as an array; None if it is none."""
    if is_matrix(argument):
        return None if argument.values.dtype == object else argument.values
    if isinstance(argument, np.ndarray) and argument.size > 1:
        return None if argument.dtype.kind in "OUSb" else argument.astype(float)
    return None


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
