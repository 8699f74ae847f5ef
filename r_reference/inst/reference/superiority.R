# How often one algorithm beats another; Wilson's interval by prop.test, the exact sign
# test by binom.test, adjusted by adjust.R. Needs ranks.R, adjust.R. Simultaneous: own
# derivation of Tango's (1998) score limits, by uniroot, each at level^(1 / pairs).

# x: blocks x algorithms; ties count half a win. control: "" for all pairs. scale:
# what the median is of, differences or ratios.
superiority_reference <- function(x, better, level = 0.95, adjust = "none",
                                  control = "", simultaneous = FALSE,
                                  scale = "difference") {
  pairs <- compared_pairs(colnames(x), control)
  turned <- lower_is_better(x, better)
  each <- lapply(seq_len(nrow(pairs)), function(i) {
    first <- x[, pairs[i, 1]]
    second <- x[, pairs[i, 2]]
    middle <- if (scale == "ratio") {
      c(median_ratio = exp(median(log(first / second))))
    } else {
      c(median_difference = median(first - second))
    }
    c(wins_of_pair(turned[, pairs[i, 1]], turned[, pairs[i, 2]], level), middle)
  })
  columns <- do.call(rbind, each)
  if (simultaneous) {
    limits <- apply(columns, 1, function(row) {
      each <- level^(1 / nrow(pairs))
      tango(row["wins"], row["losses"], nrow(x), qnorm((1 + each) / 2))
    })
    columns[, "conf_low"] <- (1 + limits[1, ]) / 2
    columns[, "conf_high"] <- (1 + limits[2, ]) / 2
  }
  adjusted <- adjust_reference(columns[, "p_value"], adjust)$p_adjusted
  # All blocks without a tie won: the smallest p-value that there can be.
  smallest <- pmin(1, 2^(1 - columns[, "wins"] - columns[, "losses"]))
  smallest <- adjust_reference(smallest, adjust)$p_adjusted
  columns <- cbind(columns, p_adjusted = adjusted, p_smallest = smallest)
  rownames(columns) <- pair_names(pairs, colnames(x))
  lapply(setNames(nm = colnames(columns)), function(name) columns[, name])
}

# Wins, ties and losses of first against second, low scores winning.
wins_of_pair <- function(first, second, level) {
  n <- length(first)
  tie <- abs(first - second) <= tie_width * pmax(abs(first), abs(second))
  wins <- sum(first < second & !tie)
  interval <- wilson_limits(wins + sum(tie) / 2, n, level)
  c(
    wins = wins,
    ties = sum(tie),
    losses = n - wins - sum(tie),
    estimate = (wins + sum(tie) / 2) / n,
    conf_low = interval[1],
    conf_high = interval[2],
    p_value = sign_test(wins, n - wins - sum(tie))
  )
}

# Limits of P(win) - P(loss): differences d that the score test does not reject. The most
# likely P(loss) given d is a root of a quadratic equation.
tango <- function(wins, losses, n, z) {
  score <- function(d) {
    b <- (2 * n - wins + losses) * d - wins - losses
    root <- sqrt(pmax(b^2 + 8 * n * losses * d * (1 - d), 0))
    variance <- pmax((root - b) / (2 * n) + d * (1 - d), 0)
    c(wins - losses - n * d, z * sqrt(n * variance))
  }
  found <- (wins - losses) / n
  low <- high <- found
  # At the estimate itself 1 and -1 are roots too: begin beside it.
  beside <- 1e-9
  if (found > -1) {
    low <- uniroot(function(d) diff(score(d)), c(-1, found - beside), tol = 1e-15)$root
  }
  if (found < 1) {
    high <- uniroot(function(d) sum(score(d)), c(found + beside, 1), tol = 1e-15)$root
  }
  c(low, high)
}

# Exact two-sided sign test, ties dropped.
sign_test <- function(wins, losses) {
  if (wins + losses == 0) 1 else binom.test(wins, wins + losses)$p.value
}

# The limits of prop.test(correct = FALSE), which loses digits of levels close to 1.
wilson_limits <- function(x, n, level) {
  # The warning is about prop.test's chi-squared test, which is not used.
  tested <- suppressWarnings(prop.test(x, n, conf.level = level, correct = FALSE))
  limits <- tested$conf.int
  if (level < 0.9999) {
    return(limits[1:2])
  }
  z <- qnorm((1 - level) / 2, lower.tail = FALSE)
  middle <- (x + z^2 / 2) / (n + z^2)
  half <- z * sqrt(x * (n - x) / n + z^2 / 4) / (n + z^2)
  c(max(0, middle - half), min(1, middle + half))
}
