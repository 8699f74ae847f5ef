"""What pairs make: groups that do not differ, orderings, dominance."""
