"""CPU time and memory of every public function by the size of its input."""
