"""Sizes of studies: power by formula, by simulation, and of planned analyses."""
