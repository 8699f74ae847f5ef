"""What pycompare raises: one root to catch, and the builtin a caller expects."""

from __future__ import annotations


class PyCompareError(Exception):
    """Anything pycompare refuses."""


class InputError(PyCompareError, ValueError):
    """Data or an argument that cannot be used; the message says what to do."""


class DesignError(PyCompareError, ValueError):
    """Sound data that do not hold the design a method needs."""


class ReferenceUnavailable(PyCompareError, RuntimeError):
    """R, an R package or the R process behind a reference value failed."""
