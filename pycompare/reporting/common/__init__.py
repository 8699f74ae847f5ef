"""What several roads tell alike, and the shape of a road."""
