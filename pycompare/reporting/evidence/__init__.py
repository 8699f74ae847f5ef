"""What makes a report evidence: manifest, data to repeat it from, verification."""
