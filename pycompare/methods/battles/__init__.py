"""Strengths of models from battles that voters decided."""
