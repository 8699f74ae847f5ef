"""Speed: our functions beside the peers', as ratios of one run."""
