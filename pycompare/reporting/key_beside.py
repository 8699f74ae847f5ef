"""A report, and beside its folder the key if codes stand for names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from pycompare.base.errors import InputError
from pycompare.base.whole_file import write_whole
from pycompare.reporting.edition import Writing
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.write import Contents, write_report

if TYPE_CHECKING:
    from pycompare.designs.blinding import Blinding, BlindingKey


def write_with_key(
    mark: FolderMark,
    to: str | Path,
    contents: Callable[[Sequence[str] | None], Contents],
    blinding: Blinding | None,
    **writing: Unpack[Writing],
) -> Path:
    """Write a report as ``write_report``; beside that of a blinded analysis, its key.

    Raises
    ------
    InputError
        If the folder or the key exists and may not be replaced.
    """
    beside: Any = nullcontext()
    if blinding is not None and not blinding.opened:
        from pycompare.designs.blinding import key_path

        overwrite = writing.get("overwrite", False)
        mark.check_target(Path(to), overwrite)
        beside = _key_beside(blinding.key, key_path(Path(to)), overwrite)
    with beside:
        return write_report(mark, to, contents, **writing)


@contextmanager
def _key_beside(key: BlindingKey, path: Path, overwrite: bool) -> Iterator[None]:
    """Write the key of a blinded report before the report, so that none is without.

    If the report cannot be written, the key that was there before is there again.
    """
    text = key.text()
    before = path.read_text(encoding="utf-8") if path.exists() else None
    if before not in (None, text) and not overwrite:
        raise InputError(
            f"{path} is the key of another report; choose another folder or set "
            f"overwrite (--overwrite)"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        _write_text(path, text)
        yield
    except BaseException:  # a signal may come while the key is written
        if before is None:
            path.unlink(missing_ok=True)
        else:
            _write_text(path, before)
        raise


def _write_text(path: Path, text: str) -> None:
    """Write a file that is never half-written."""
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))
