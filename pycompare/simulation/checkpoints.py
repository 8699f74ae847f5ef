"""Finished chunks on disk, a Parquet file each: whole, or not there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pycompare.errors import InputError
from pycompare.parallel import folder as owned
from pycompare.parallel.whole_file import write_whole

_ENDING = ".parquet"


@dataclass(frozen=True)
class Checkpoints:
    """A folder of finished chunks of one study.

    Every file has a row for each statistic: number of trials, sum and sum of squares.

    Attributes
    ----------
    folder : Path
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path, plan: Mapping[str, Any]) -> Checkpoints:
        """Make the folder, or go on with one that an earlier run left.

        Raises
        ------
        InputError
            If the folder is of another study or of something else, or pyarrow is
            missing.
        """
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise InputError(
                "finished chunks are kept as Parquet, which needs pyarrow: "
                "pip install pyarrow"
            ) from error
        owned.begin(folder, plan, name="_study.json", what="simulation")
        return cls(folder)

    def names(self) -> set[str]:
        """Return the names of the finished chunks."""
        return {path.stem for path in self.folder.glob(f"*{_ENDING}")}

    def read(self, name: str) -> dict[str, tuple[int, float, float]] | None:
        """Return the sums of one chunk; None if its file cannot be read."""
        import pyarrow as pa
        from pyarrow import parquet

        try:
            rows = parquet.read_table(self.folder / f"{name}{_ENDING}").to_pylist()
        except (pa.ArrowException, OSError):
            return None
        return {r["statistic"]: (r["trials"], r["sum"], r["squares"]) for r in rows}

    def keep(self, name: str, sums: Mapping[str, tuple[int, float, float]]) -> None:
        """Write one chunk aside, then rename it."""
        import pyarrow as pa
        from pyarrow import parquet

        columns = zip(*sums.values(), strict=True)
        table = pa.table(
            {"statistic": list(sums)}
            | dict(zip(("trials", "sum", "squares"), map(list, columns), strict=True))
        )
        path = self.folder / f"{name}{_ENDING}"
        write_whole(path, partial(parquet.write_table, table))
