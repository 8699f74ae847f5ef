"""Table I of Hanley and McNeil (1983): correlation of two AUCs on the same cases."""

from __future__ import annotations

import numpy as np

# Radiology 148, 839-843. Rows: average correlation of the scores, .02 to .90; columns:
# average AUC, .700 to .975; entries: hundredths.
_PRINTED = """
02 02 02 02 02 02 02 01 01 01 01 01
04 04 03 03 03 03 03 03 03 02 02 02
05 05 05 05 05 05 05 04 04 04 03 02
07 07 07 07 07 06 06 06 06 05 04 03
09 09 09 09 08 08 08 07 07 06 06 04
11 11 11 10 10 10 09 09 08 08 07 05
13 12 12 12 12 11 11 11 10 09 08 06
14 14 14 14 13 13 13 12 11 11 09 07
16 16 16 16 15 15 14 14 13 12 11 09
18 18 18 17 17 17 16 15 15 14 12 10
20 20 19 19 19 18 18 17 16 15 14 11
22 22 21 21 21 20 19 19 18 17 15 12
24 23 23 23 22 22 21 20 19 18 16 13
26 25 25 25 24 24 23 22 21 20 18 15
27 27 27 26 26 25 25 24 23 21 19 16
29 29 29 28 28 27 26 26 24 23 21 18
31 31 31 30 30 29 28 27 26 25 23 19
33 33 32 32 31 31 30 29 28 26 24 21
35 35 34 34 33 33 32 31 30 28 26 22
37 37 36 36 35 35 34 33 32 30 28 24
39 39 38 38 37 36 36 35 33 32 29 25
41 40 40 40 39 38 38 37 35 34 31 27
43 42 42 42 41 40 39 38 37 35 33 29
45 44 44 43 43 42 41 40 39 37 35 30
47 46 46 45 45 44 43 42 41 39 37 32
49 48 48 47 47 46 45 44 43 41 39 34
51 50 50 49 49 48 47 46 45 43 41 36
53 52 52 51 51 50 49 48 47 45 43 38
55 54 54 53 53 52 51 50 49 47 45 40
57 56 56 55 55 54 53 52 51 49 47 42
59 58 58 57 57 56 55 54 53 51 49 45
61 60 60 59 59 58 58 57 55 54 51 47
63 62 62 62 61 60 60 59 57 56 53 49
65 64 64 64 63 62 62 61 60 58 56 51
67 66 66 66 65 65 64 63 62 60 58 54
69 69 68 68 67 67 66 65 64 63 60 56
71 71 70 70 69 69 68 67 66 65 63 59
73 73 72 72 72 71 71 70 69 67 65 61
75 75 75 74 74 73 73 72 71 70 68 64
77 77 77 76 76 76 75 74 73 72 70 67
79 79 79 79 78 78 77 77 76 75 73 70
82 81 81 81 81 80 80 79 78 77 76 73
84 84 83 83 83 82 82 81 81 80 78 75
86 86 86 85 85 85 84 84 83 82 81 79
88 88 88 88 87 87 87 86 86 85 84 82
"""
TABLE = np.array([line.split() for line in _PRINTED.strip().splitlines()], float) / 100
CORRELATIONS = np.arange(1, 46) / 50
AREAS = np.arange(28, 40) / 40


def correlation_of_areas(correlation: float, area: float) -> float:
    """Return the correlation of two AUCs by bilinear interpolation.

    Parameters
    ----------
    correlation : float
        Average of the correlations of the scores among positives and among negatives,
        in [0, .90]; below .02 the line from 0 at 0 is used.
    area : float
        Average of the AUCs; the nearest column beyond .700 and .975.
    """
    rows = np.vstack([np.zeros(len(AREAS)), TABLE])
    at = np.concatenate([[0.0], CORRELATIONS])
    column = [np.interp(correlation, at, rows[:, j]) for j in range(len(AREAS))]
    return float(np.interp(area, AREAS, column))
