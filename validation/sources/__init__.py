"""The experiments of the source papers on their own data sets, with their learners."""
