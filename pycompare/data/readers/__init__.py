"""Result files of other programs, one file a format, read in one call."""
