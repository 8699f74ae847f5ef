"""What several analyses tell alike, and the shape of an analysis."""
