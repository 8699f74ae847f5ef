"""Result files of other programs, one file per format, read in one call."""
