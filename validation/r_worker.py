"""The process that holds R: reads requests, writes an answer to each, line by line.

Started by ``validation.r`` as ``python r_worker.py FD``; it imports no other file. A
request is a line of JSON on standard input, its answer a line of JSON on the file
descriptor FD. This is the only place that imports rpy2. Only plain vectors cross over:
pandas2ri loses data.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

_PR_SET_PDEATHSIG = 1
_IDLE = 600
"""Seconds without a request after which this process ends."""
_OPTIONS = ("rpy2", "--quiet", "--no-save", "--no-restore", "--no-init-file")

_GUARDED = """
function(f, arguments) {
  warnings <- character()
  keep <- function(w) {
    warnings <<- c(warnings, conditionMessage(w))
    invokeRestart("muffleWarning")
  }
  failure <- NULL
  value <- tryCatch(
    withCallingHandlers(do.call(f, arguments, quote = TRUE), warning = keep),
    error = function(e) {
      failure <<- e
      NULL
    }
  )
  if (inherits(failure, "packageNotFoundError")) {
    return(list(package = failure$package))
  }
  if (!is.null(failure)) {
    return(list(failed = conditionMessage(failure)))
  }
  fits <- is.list(value) && length(value) > 0 && !is.null(names(value)) &&
    all(nzchar(names(value))) &&
    all(vapply(value, function(v) is.numeric(v) || is.logical(v), NA))
  if (!fits) {
    return(list(failed = "it did not give a named list of numbers"))
  }
  list(
    names = names(value),
    numbers = lapply(unname(value), as.double),
    warnings = warnings
  )
}
"""

_EVALUATED = """
function(source) eval(parse(text = source, keep.source = FALSE), new.env())
"""

_VERSIONS = """
function(packages) {
  vapply(packages, function(name) {
    tryCatch(
      as.character(utils::packageVersion(name)),
      packageNotFoundError = function(e) ""
    )
  }, "")
}
"""


class Failure(Exception):
    """What the parent is told instead of an answer."""


class R:
    """R in this process, with an empty environment for reference functions."""

    def __init__(self) -> None:
        self.ri = _start_r()
        self.base = self.ri.baseenv
        self.reference = self.base["new.env"]()
        self.guarded = self.evaluate(_GUARDED)

    def evaluate(self, source: str) -> Any:
        """Evaluate R code of ours among the reference functions."""
        keep_source = self.ri.BoolSexpVector([False])
        parsed = self.base["parse"](
            text=self.ri.StrSexpVector([source]), **{"keep.source": keep_source}
        )
        return self.base["eval"](parsed, self.reference)

    def vector(self, plain: Mapping[str, Any]) -> Any:
        """Return the R vector or matrix that a plain description stands for."""
        ri, kind, values = self.ri, plain["kind"], plain["values"]
        if kind == "null":
            return ri.NULL
        if kind == "character":
            return ri.StrSexpVector(values)
        if kind == "logical":
            return ri.BoolSexpVector(values)
        numbers = ri.FloatSexpVector([ri.NA_Real if v is None else v for v in values])
        return self.matrix(numbers, plain) if plain["shape"] else numbers

    def matrix(self, numbers: Any, plain: Mapping[str, Any]) -> Any:
        """Give numbers the shape and the names of a matrix."""
        ri = self.ri
        attributes = {"dim": ri.IntSexpVector(plain["shape"])}
        if plain["labels"]:
            names = [ri.StrSexpVector(part) for part in plain["labels"]]
            attributes["dimnames"] = ri.ListSexpVector(names)
        return self.base["structure"](numbers, **attributes)

    def named_list(self, items: Mapping[str, Any]) -> Any:
        """Return a named R list."""
        values = self.ri.ListSexpVector(list(items.values()))
        names = self.ri.StrSexpVector(list(items))
        return self.base["structure"](values, names=names)

    def numbers(self, function: Any, arguments: Any, what: str) -> dict[str, Any]:
        """Call an R function and return its named list of numbers."""
        outcome = self.guarded(function, arguments)
        parts = dict(zip(outcome.names, outcome, strict=True))
        if "package" in parts:
            raise Failure(_missing_package(what, parts["package"][0]))
        if "failed" in parts:
            raise Failure(f"{what}: R stopped: {parts['failed'][0].strip()}")
        found = {
            name: numbers[0] if len(numbers) == 1 else list(numbers)
            for name, numbers in zip(parts["names"], parts["numbers"], strict=True)
        }
        warnings = list(parts["warnings"])
        return found | ({"_warnings": warnings} if warnings else {})


@cache
def _start_r() -> Any:
    """Start R quietly, without the user's profile, and return rpy2.rinterface."""
    try:
        from rpy2 import situation
    except ImportError as error:
        raise Failure(
            f"rpy2 is not available ({error}); install pycompare with its extra "
            f"'validate' (from a clone: pip install '.[validate]', or make validate)"
        ) from None
    home = situation.get_r_home()
    if home is None:
        raise Failure(
            "R was not found; put it on the PATH or install it (Debian: apt-get "
            "install r-base-core)"
        )
    os.environ["R_HOME"] = home
    if find_spec("_rinterface_cffi_api") is None:
        # Built without R's libraries at hand; rpy2 would complain before it falls back.
        os.environ.setdefault("RPY2_CFFI_MODE", "ABI")
    try:
        from rpy2 import rinterface
        from rpy2.rinterface_lib import callbacks, embedded
    except (ImportError, OSError, ValueError) as error:
        raise Failure(f"rpy2 cannot load R from {home}: {error}") from None
    callbacks.consolewrite_print = _ignore
    callbacks.consolewrite_warnerror = _ignore
    options: Any = _OPTIONS  # rpy2 declares a tuple of one
    embedded.set_initoptions(options)
    rinterface.initr(interactive=False)
    return rinterface


def _ignore(s: str) -> None:
    """Drop what R writes to its console."""


def _missing_package(what: str, package: str) -> str:
    """Say which R package is missing and how Debian calls it."""
    return (
        f"{what} needs the R package {package!r}, which is not installed (Debian: "
        f"apt-get install r-cran-{package.lower()})"
    )


def _do_calls(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Define the reference functions and call them."""
    r = R()
    for source in request["sources"]:
        r.evaluate(source)
    answers = []
    for call in request["calls"]:
        name = call["function"]
        arguments = {k: r.vector(v) for k, v in call["arguments"].items()}
        function = r.base["mget"](
            r.ri.StrSexpVector([name]),
            envir=r.reference,
            mode=r.ri.StrSexpVector(["function"]),
            ifnotfound=r.ri.ListSexpVector([r.ri.NULL]),
        )[0]
        if function is r.ri.NULL:
            raise Failure(f"r_reference defines no function {name!r}")
        answers.append(r.numbers(function, r.named_list(arguments), name))
    return answers


def _do_source(request: Mapping[str, Any]) -> dict[str, Any]:
    """Evaluate R code and return the list that it ends with."""
    r = R()
    source = r.ri.StrSexpVector([request["source"]])
    arguments = r.named_list({"source": source})
    return r.numbers(r.evaluate(_EVALUATED), arguments, "R code")


def _do_versions(request: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the versions of what is in use."""
    from importlib.metadata import version

    r = R()
    packages = r.evaluate(_VERSIONS)(r.ri.StrSexpVector(request["packages"]))
    return {
        "R": r.base["R.version.string"][0],
        "rpy2": version("rpy2"),
        **{n: v or None for n, v in zip(request["packages"], packages, strict=True)},
    }


_TASKS = {"calls": _do_calls, "source": _do_source, "versions": _do_versions}


def _answer_to(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to one request, or why there is none."""
    try:
        return {"answer": _TASKS[request["task"]](request)}
    except Failure as failure:
        return {"failed": str(failure)}


def _end_with_parent() -> None:
    """Ask Linux to kill this process when the one that started it dies."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # another system: the end of standard input ends this process


def _main() -> None:
    """Answer requests until standard input ends."""
    _end_with_parent()
    reply = int(sys.argv[1])
    # A process that R starts must neither hold the pipe open nor read the requests.
    os.set_inheritable(reply, False)
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    with open(reply, "w", encoding="ascii") as pipe:
        signal.alarm(_IDLE)
        for line in requests:
            signal.alarm(0)
            print(json.dumps(_answer_to(json.loads(line))), file=pipe, flush=True)
            signal.alarm(_IDLE)
    # R has nothing left to do, and its clean-up can hang or crash.
    os._exit(0)


if __name__ == "__main__":
    _main()
