"""R code that repeats results: functions, data, calls, all digits printed.

The text is ASCII, so any locale reads it. Labels and titles come from the user: they
stand in string literals and comments only, where nothing in them is code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Context, Decimal
from functools import lru_cache
from pathlib import Path

from pycompare.base.errors import InputError, ReferenceUnavailable
from pycompare.base.interop.r_call import RCall, Repeatable
from pycompare.base.interop.values import RVector, is_matrix, r_vector, text
from pycompare.base.version import __version__

_WIDTH = 88
_DIGITS = Context(prec=40)
_CHUNK = 1000
"""Longest string literal: R rejects 10,000 characters with escapes among them."""
_PLAIN = re.compile(r"[ !#-\[\]-~]{1,1000}")
"""Text that stands in a literal as it is, and is no longer than one."""


def reference_folder() -> Path:
    """Return the folder of R functions: inside the installed package, or beside it.

    Raises
    ------
    ReferenceUnavailable
        If this copy of pycompare has none.
    """
    package = Path(__file__).parents[2]
    for place in (package, package.parent):
        folder = place / "r_reference" / "inst" / "reference"
        if folder.is_dir():
            return folder
    raise ReferenceUnavailable(
        f"no folder 'r_reference' in or beside {package}; install pycompare again"
    )


def reference_source(stem: str) -> str:
    """Return the text of one R file of the reference folder.

    Parameters
    ----------
    stem : str
        File name without ``.R``.

    Raises
    ------
    InputError
        If the stem is no plain name.
    ReferenceUnavailable
        If there is no such file.
    """
    if not stem.isidentifier():
        raise InputError(f"{stem!r} is not the name of a file in r_reference")
    path = reference_folder() / f"{stem}.R"
    if not path.is_file():
        raise ReferenceUnavailable(f"there is no R file {path}")
    return path.read_text(encoding="utf-8")


def quote(label: str) -> str:
    r"""Return an R string literal that holds any text.

    Everything but plain ASCII is written ``\uXXXX`` or ``\UXXXXXXXX``.

    Raises
    ------
    InputError
        For a null character or half of a surrogate pair, which R cannot hold.
    """
    label = text(label)
    if _PLAIN.fullmatch(label):
        return f'"{label}"'
    parts = [label[i : i + _CHUNK] for i in range(0, len(label), _CHUNK)] or [""]
    literals = [f'"{"".join(map(_escaped, part))}"' for part in parts]
    return literals[0] if len(literals) == 1 else f"paste0({', '.join(literals)})"


def _escaped(character: str) -> str:
    """Return one character as it stands in an R string literal."""
    if character in '"\\':
        return "\\" + character
    if " " <= character <= "~":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def comment(title: str) -> str:
    """Return the title as one R comment line, whatever is in it."""
    line = "".join(c if c.isprintable() else " " for c in title)
    return "# " + line.encode("ascii", "backslashreplace").decode()


def number(x: float) -> str:
    """Return the R literal that R reads back as the same double.

    The shortest decimal if that is safe. R rounds twice when it reads (once to long
    double), and so misses about one shortest decimal in 20,000 by a unit in the last
    place: those that lie next to the middle of two doubles get 17 digits.
    """
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Inf" if x > 0 else "-Inf"
    # Only zeros are equal and not alike.
    return _finite(x) if x else repr(x).removesuffix(".0")


@lru_cache(maxsize=1 << 18)
def _finite(x: float) -> str:
    """Return the literal of a finite number; a script has most of them many times."""
    shortest = repr(x).removesuffix(".0")
    return shortest if _is_safe(shortest, x) else f"{x:.17g}"


def _is_safe(decimal: str, x: float) -> bool:
    """Return whether a decimal keeps clear of the middle of two doubles."""
    if not 1e-300 < abs(x) < 1e300:
        return False
    # How far the decimal is off is a small difference; from there doubles do.
    off = float(_DIGITS.subtract(Decimal(decimal), Decimal(x)))
    steps = (math.nextafter(x, towards) - x for towards in (-math.inf, math.inf))
    return all(abs(off - step / 2) > math.ulp(x) / 100 for step in steps)


def _element(item: str | bool | float | None) -> str:
    """Return one element of a vector as R code; None is a missing number."""
    if item is None:
        return "NA_real_"
    if isinstance(item, str):
        return quote(item)
    if isinstance(item, bool):
        return "TRUE" if item else "FALSE"
    return number(item)


def value(argument: object) -> str:
    """Return an R expression for an argument of a call.

    See ``values.r_vector`` for what an argument can be. A matrix is written with one
    row per line.
    """
    vector = r_vector(argument)
    if vector.kind == "null":
        return "NULL"
    if vector.shape is not None:
        return _matrix_code(vector)
    if len(vector.values) == 1:
        return _element(vector.values[0])
    return _combine(map(_element, vector.values)) if vector.values else "numeric(0)"


def _matrix_code(matrix: RVector) -> str:
    """Return the R expression of a matrix."""
    assert matrix.shape is not None
    n = matrix.shape[0]
    rows = [", ".join(map(_element, matrix.values[i::n])) for i in range(n)]
    cells = ",\n".join(f"  {row}" for row in rows)
    names = ""
    if matrix.labels is not None:
        labels = ",\n".join(
            "  " + _combine(map(quote, part), indent=4) for part in matrix.labels
        )
        names = f", dimnames = list(\n{labels}\n)"
    return f"matrix(c(\n{cells}\n), nrow = {n}, byrow = TRUE{names})"


def _combine(items: Iterable[str], indent: int = 2) -> str:
    """Return ``c(...)``, in several lines if it is long.

    Lines break between elements only, never inside a string.
    """
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + len(item) > _WIDTH - indent - 3:
            lines.append("")
        lines[-1] += f"{', ' if lines[-1] else ''}{item}"
    if len(lines) == 1:
        return f"c({lines[0]})"
    inner = ",\n".join(" " * indent + line for line in lines)
    return f"c(\n{inner}\n{' ' * (indent - 2)})"


def code(result: Repeatable) -> str:
    """Return self-contained R code that repeats every number of a result.

    It ends with the named list of numbers, after printing each with 17 digits.

    Raises
    ------
    ReferenceUnavailable
        If R has no counterpart of this result.
    """
    call = result.r_call()
    if call is None:
        raise ReferenceUnavailable(f"R has no counterpart of {_title_of(result)}")
    data = DataSets("scores")
    lines = [
        *_functions([call]),
        comment(_title_of(result)),
        *_call_lines(call, "result", data),
        "invisible(result)",
    ]
    return "\n".join(lines) + "\n"


def _title_of(result: Repeatable) -> str:
    """Return the name that the result gives itself."""
    for attribute in ("name", "method"):
        title = getattr(result, attribute, None)
        if isinstance(title, str):
            return title
    return type(result).__name__


def _functions(calls: Sequence[RCall]) -> list[str]:
    """Return the R functions that the calls need, each file once."""
    stems = dict.fromkeys(stem for call in calls for stem in call.files)
    lines = [f"# R code that repeats numbers of pycompare {__version__}.", ""]
    for stem in [*stems, "print_numbers"]:
        lines += [f"# ---- r_reference/{stem}.R", reference_source(stem)]
    return [*lines, "# ---- data and calls", ""]


class DataSets:
    """The matrices of a script: each is written once, under a name."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.names: dict[str, str] = {}

    def name(self, matrix: str) -> tuple[str, bool]:
        """Return the name of a matrix, and whether it is new."""
        known = matrix in self.names
        if not known:
            place = len(self.names) + 1
            numbered = self.prefix.endswith("_") or place > 1
            self.names[matrix] = f"{self.prefix}{place}" if numbered else self.prefix
        return self.names[matrix], not known


def _call_lines(call: RCall, target: str, data: DataSets) -> Iterator[str]:
    """Yield the data that are new, the call, and the printing of its numbers."""
    arguments = []
    for name, argument in call.arguments.items():
        written = value(argument)
        if is_matrix(argument):
            matrix, (written, is_new) = written, data.name(written)
            if is_new:
                yield f"{written} <- {matrix}"
        arguments.append(f"  {name} = {written}")
    yield f"{target} <- {call.function}(\n" + ",\n".join(arguments) + "\n)"
    yield f"print_numbers({target})"
