"""Ratings of cases by readers, from files."""

from __future__ import annotations

from os import PathLike
from typing import Any

from pycompare.checked import checked
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.ratings import Design, Ratings


@checked
def read_ratings(
    path: str | PathLike[str],
    *,
    modality: str,
    reader: str,
    case: str,
    rating: str,
    truth: str | None = None,
    positive: object = None,
    cluster: str | None = None,
    design: Design = "factorial",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Ratings:
    r"""Read ratings from a file with one row for each modality, reader and case.

    Parameters
    ----------
    path : path
        A text file, Parquet or .xlsx.
    modality, reader, case, rating, truth, positive, cluster, design
        As in ``Ratings.from_frame``.
    sep, decimal, sheet, header : str, optional
        How the file is written, as in ``pc.read_scores``.

    Returns
    -------
    Ratings

    Raises
    ------
    InputError
        As ``Ratings.from_frame``; the message names the file.

    Examples
    --------
    >>> import tempfile, pathlib, pycompare as pc
    >>> rows = [
    ...     f"{m},{r},{c},{c % 2},{(7 * c + 3 * r + m) % 5}"
    ...     for m in (1, 2) for r in (1, 2, 3) for c in range(12)
    ... ]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ratings.csv"
    >>> _ = path.write_text("\n".join(["m,r,c,ill,x", *rows]))
    >>> pc.read_ratings(
    ...     path, modality="m", reader="r", case="c", truth="ill", rating="x"
    ... )
    <Ratings: 2 modalities x 3 readers x 12 cases (6 positive), factorial>
    """
    form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
    roles: dict[str, Any] = {
        "modality": modality,
        "reader": reader,
        "case": case,
        "rating": rating,
        "truth": truth,
        "cluster": cluster,
    }
    with named(path):
        table, _ = read_table(path, form)
        return Ratings.from_table(table, roles, positive=positive, design=design)
