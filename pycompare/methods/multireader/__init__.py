"""Comparisons over several readers and cases, and to whom they generalise."""
