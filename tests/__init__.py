"""Tests of pycompare. Linear algebra has one thread in them and in what they start.

Tests run one process per core. Threads beside them wait in a loop for matrices of 50
rows: three quarters of the CPU of a mixed model. They are set before NumPy is imported.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
