"""What a file is by its first bytes or its ending, if it is no table."""

from __future__ import annotations

_BY_BYTES = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP file (as .xlsx, .docx and .ods files are)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls, .doc)"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "a Feather file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x80\x04", "a Python pickle"),
)
_BY_ENDING = {
    **dict.fromkeys((".docx", ".doc", ".odt", ".rtf"), "a text document"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".svg"), "a picture"),
    **dict.fromkeys((".pptx", ".ppt", ".odp"), "a presentation"),
    ".pdf": "a PDF document",
    ".xls": "a workbook in the old format",
    ".ods": "an OpenDocument spreadsheet",
    ".zip": "a ZIP file",
    ".gz": "a compressed file",
    ".pkl": "a Python pickle",
    ".rds": "an R object",
}


def by_bytes(content: bytes) -> str:
    """Return what a file is that is no text; empty if its first bytes do not show.

    Examples
    --------
    >>> by_bytes(b"%PDF-1.7 ..."), by_bytes(b"a,b")
    ('a PDF document', '')
    """
    return next((kind for start, kind in _BY_BYTES if content.startswith(start)), "")


def by_ending(ending: str) -> str:
    """Return what files of an ending are; empty if it is not known.

    Examples
    --------
    >>> by_ending(".docx"), by_ending(".csv")
    ('a text document', '')
    """
    return _BY_ENDING.get(ending, "")
