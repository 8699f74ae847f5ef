"""Declarations about how a file is written; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.data.text_rows import BLANKS, LATEX, MARKDOWN

SEPARATORS = (",", ";", "|", "tab", BLANKS)
DECIMALS = (".", ",")
NO_HEADER = "none"
TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".feather", ".arrow")
"""Endings of tables of which a folder can hold several."""
OF_TABLES = (*TABLES, ".md", ".tex", ".xlsx")
"""Endings of all tables that define them."""
OF_EVERY_FILE = ("sep", "decimal", "sheet", "header")
"""What can be declared of any file, whatever it holds."""
SPREADS = ("ignored",)
_BY_ENDING = {".csv": ",", ".tsv": "\t", ".md": MARKDOWN, ".tex": LATEX}
_LINES = re.compile(r"none|[1-9]\d*(?: [1-9]\d*)*")


@dataclass(frozen=True, kw_only=True)
class FileFormat:
    """Declarations about a file.

    Attributes
    ----------
    sep : {",", ";", "|", "tab", "space"} or None
        What separates the cells of a text file; None: its ending shows it. A tab itself
        is accepted as well. Space: any number of blanks.
    decimal : {".", ","}
        Decimal mark of a text file.
    percent : sequence of str or None
        Columns in percent, with or without percent signs: they are divided by 100.
        None if the call has no such option.
    sheet : str or None
        Name of the sheet of an .xlsx file; None if one sheet has cells.
    header : str or None
        Lines that name the columns: ``"2"``, ``"1 2"`` for names over two lines, or
        ``"none"``; None: the first line.
    spread : {"ignored"} or None
        Treatment of a second number beside a score, as in ``0.9 ± 0.1``.

    Raises
    ------
    InputError
        If a mark is none of these.
    """

    sep: str | None = None
    decimal: str = "."
    percent: Sequence[str] | None = None
    sheet: str | None = None
    header: str | None = None
    spread: str | None = None

    def __post_init__(self) -> None:
        if self.percent is not None:
            single = isinstance(self.percent, str)
            names = (self.percent,) if single else tuple(self.percent)
            object.__setattr__(self, "percent", names)
        if self.sep not in (None, "\t", *SEPARATORS):
            raise InputError(
                setting("sep", self.sep)
                + f": choose one of {', '.join(map(repr, SEPARATORS))}"
            )
        if self.decimal not in DECIMALS:
            raise InputError(
                setting("decimal", self.decimal)
                + ": the decimal mark is '.' or ','; numbers have no other separators"
            )

        if self.header is not None:
            check_header(self.header)
        if self.spread not in (None, *SPREADS):
            raise InputError(
                setting("spread", self.spread)
                + ": the spread beside a score can only be ignored"
            )

    @property
    def header_lines(self) -> tuple[int, ...] | None:
        """Return the lines that name the columns; () for none, None if not given."""
        if self.header is None:
            return None
        if self.header == NO_HEADER:
            return ()
        return tuple(map(int, str(self.header).split()))

    def recipe(self, path: Path) -> dict[str, str] | None:
        """Return how a program splits a plain text file into cells; None without."""
        sep = self.delimiter(path.suffix.lower())
        plain = self.decimal == "." and not self.percent
        plain &= self.header is None and self.spread is None
        plain &= path.suffix.lower() in (".csv", ".tsv", ".txt")
        return {"sep": sep} if plain and sep in (",", ";", "|", "\t") else None

    def delimiter(self, ending: str) -> str | None:
        """Return what separates cells of a text file; None if it is no text file."""
        if self.sep is None:
            return _BY_ENDING.get(ending)
        return "\t" if self.sep == "tab" else self.sep

    def require_text(self, ending: str) -> None:
        """Reject declarations about text if the file is none."""
        given = {
            "sep": self.sep,
            "decimal": None if self.decimal == "." else ",",
            "spread": self.spread,
        }
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    setting(name, value)
                    + f" is for text files, and {ending} files hold numbers as such; "
                    "leave it out"
                )

    def require_no_header(self, ending: str) -> None:
        """Reject lines of names of a file that stores names separately."""
        if self.header is not None:
            raise InputError(
                setting("header", self.header)
                + f" is for text and .xlsx files; {show(ending)} files store the names "
                "of columns"
            )

    def require_no_sheet(self, ending: str) -> None:
        """Reject a sheet of a file that has none."""
        if self.sheet is not None:
            raise InputError(
                setting("sheet", self.sheet)
                + f" is for .xlsx files; {show(ending)} files have no sheets"
            )

    def require_parquet(self) -> None:
        """Reject what Parquet files have no use for."""
        self.require_text(".parquet")
        self.require_no_header(".parquet")
        self.require_no_sheet(".parquet")


def check_header(header: str) -> str:
    """Return lines that name the columns, if they are lines.

    Raises
    ------
    InputError
    """
    if not _LINES.fullmatch(str(header)):
        raise InputError(
            setting("header", header)
            + ": give the line that names the columns, as 2, or two lines, as '1 2', "
            "or none"
        )
    return header


AS_ENDING = FileFormat()
"""Nothing is declared: the ending defines it."""
