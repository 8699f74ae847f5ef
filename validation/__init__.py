"""Every statistic against R, live: what is compared, how, and how well it agrees."""
