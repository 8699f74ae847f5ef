"""The console: whatever it is, the work is done and its report is written."""

from __future__ import annotations

import errno
import logging
import os
import sys
from io import BufferedWriter, RawIOBase, TextIOWrapper
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_LOST: list[OSError] = []
"""Why standard output could not be written."""


class _Lasting(RawIOBase):
    """A stream that takes everything; what cannot be written is lost."""

    def __init__(self, raw: Any, lost: list[OSError]) -> None:
        self._raw, self._lost = raw, lost

    def write(self, data: ReadableBuffer) -> int | None:
        """Write what can be written."""
        try:
            written: int | None = self._raw.write(data)
        except OSError as error:
            self._lost.append(error)
            return memoryview(data).nbytes
        return written

    def writable(self) -> bool:
        """Return the message that it can be written."""
        return True

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return bool(self._raw.isatty())

    def fileno(self) -> int:
        """Return the number of the stream."""
        return int(self._raw.fileno())


def use_any_console() -> None:
    """Let nothing that is shown stop the work.

    Characters that a console lacks are shown by their numbers. A closed one, a pipe
    that nobody reads and a full disk take what they can. Logs of libraries, such as of
    a folder for fonts that cannot be written, are not shown.
    """
    _occupy_standard_streams()
    sys.stdout = _lasting(sys.stdout, sys.__stdout__, _LOST)
    sys.stderr = _lasting(sys.stderr, sys.__stderr__, [])
    logging.getLogger().addHandler(logging.NullHandler())


def _occupy_standard_streams() -> None:
    """Let no file that is opened later take the number of a closed stream."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)


def _lasting(stream: Any, first: Any, lost: list[OSError]) -> Any:
    """Return a stream that lasts, for one that the process began with."""
    if stream is None:
        # A stream that was closed when the process began.
        return open(os.devnull, "w", encoding="utf-8")
    if not isinstance(stream, TextIOWrapper):
        return stream
    if stream is not first:  # a test looks at it
        stream.reconfigure(errors="backslashreplace")
        return stream
    # With python -u there is no buffer between the text and the file.
    raw: Any = getattr(stream.buffer, "raw", None)
    lasting: Any = _Lasting(raw or stream.buffer, lost)
    return TextIOWrapper(
        lasting if raw is None else BufferedWriter(lasting),
        encoding=stream.encoding,
        errors="backslashreplace",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def lost_output() -> OSError | None:
    """Return why output is lost; a reader that has read enough loses nothing."""
    sys.stdout.flush()
    return next((error for error in _LOST if error.errno != errno.EPIPE), None)
