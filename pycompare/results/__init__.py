"""Families of p-values in, adjusted p-values out."""
