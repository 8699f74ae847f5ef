"""What is declared about how a file is written; nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pycompare.errors import InputError, setting
from pycompare.labels import show

SEPARATORS = (",", ";", "|", "tab")
DECIMALS = (".", ",")
_BY_ENDING = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, kw_only=True)
class FileFormat:
    """What is declared about a file.

    Attributes
    ----------
    sep : {",", ";", "|", "tab"} or None
        What separates the cells of a text file; None: its ending says it. A tab itself
        is accepted as well.
    decimal : {".", ","}
        Decimal mark of a text file.
    percent : sequence of str or None
        Columns in percent, with or without percent signs: they are divided by 100.
        None where the call has no such option.
    sheet : str or None
        Name of the sheet of an .xlsx file; None where one sheet has cells.

    Raises
    ------
    InputError
        If a mark is none of these.
    """

    sep: str | None = None
    decimal: str = "."
    percent: Sequence[str] | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        if self.percent is not None:
            one = isinstance(self.percent, str)
            names = (self.percent,) if one else tuple(self.percent)
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

    def delimiter(self, ending: str) -> str | None:
        """Return what separates cells of a text file; None if it is no text file."""
        if self.sep is None:
            return _BY_ENDING.get(ending)
        return "\t" if self.sep == "tab" else self.sep

    def require_text(self, ending: str) -> None:
        """Refuse what is declared about text where the file is none."""
        given = {"sep": self.sep, "decimal": None if self.decimal == "." else ","}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    setting(name, value)
                    + f" is for text files, and {ending} files hold numbers as such; "
                    "leave it out"
                )

    def require_no_sheet(self, ending: str) -> None:
        """Refuse a sheet of a file that has none."""
        if self.sheet is not None:
            raise InputError(
                setting("sheet", self.sheet)
                + f" is for .xlsx files; {show(ending)} files have no sheets"
            )

    def require_parquet(self) -> None:
        """Refuse what Parquet files have no use for."""
        self.require_text(".parquet")
        self.require_no_sheet(".parquet")


AS_ENDING = FileFormat()
"""Nothing is declared: the ending says all."""
