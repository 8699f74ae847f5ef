"""Rank tests over common blocks: ranks of algorithms within each block."""
