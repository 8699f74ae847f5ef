"""Checks whose R functions crash, wait and leave something behind."""

from pycompare.base.interop.r_call import RCall
from validation.agreement import Case, Check, Wanted

STATEFUL = """
mark <- function() { options(pycompare.mark = 2); list(x = 1) }
marked <- function() list(x = getOption("pycompare.mark", 1))
crash <- function() tools::pskill(Sys.getpid(), 11)
fine <- function() list(x = 1)
wait <- function(file) {
  cat(Sys.getpid(), file = paste0(file, ".part"))
  file.rename(paste0(file, ".part"), file)
  Sys.sleep(600)
  list(x = 1)
}
"""


def check_with(function, **arguments):
    case = Case("a case", RCall(("f",), function, arguments), {"x": 1.0})
    return Check(function, "R's f", lambda: [case], {"*": Wanted(12, "closed")})
