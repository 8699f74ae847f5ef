# Pairs of mean ranks: z, raw and adjusted p-values, simultaneous intervals.
# Needs ranks.R, studentized_range.R, adjust.R, sign_flips.R, and the file of the method
# where that is not "friedman", such as quade.R.

# method: the ranks, such as "friedman" or "quade". std_error: "textbook" or
# "permutation". control: name of the algorithm that all others are compared with, ""
# for all pairs. p_value: "normal", "exact" for Friedman ranks, or "sign-flips" or
# "sign-flips-saddlepoint" for complete tables. Vectors are in the order (1,2), (1,3),
# ..., or of the other algorithms.
rank_pairs_reference <- function(x, better, method, std_error, adjust = "none",
                                 control = "", monotone = FALSE, level = 0.95,
                                 p_value = "normal") {
  turned <- lower_is_better(x, better)
  a <- ncol(x)
  pairs <- compared_pairs(colnames(x), control)
  if (startsWith(p_value, "sign-flips")) {
    return(flipped_pairs(turned, pairs, method, adjust, monotone, p_value))
  }
  positions <- rank_positions(turned, method, std_error)
  # Sums are whole or half numbers, so that equal differences are exactly equal.
  estimate <- (positions$sums[pairs[, 1]] - positions$sums[pairs[, 2]]) / positions$unit
  # Least squares leaves rounding noise if two adjusted mean ranks are equal.
  estimate[abs(estimate) < 1e-12] <- 0
  error <- sqrt(positions$variance[pairs])
  error[error == 0] <- NaN # all tied: nothing can be tested
  z <- estimate / error
  if (p_value == "exact") {
    p <- exact_pair_p(rank_rows(turned), pairs)
    p_adjusted <- adjust_reference(p, adjust, monotone)$p_adjusted
  } else {
    size <- without_split_ties(z)
    p <- 2 * pnorm(-abs(size))
    p_adjusted <- adjust_rank_pairs(size, a, adjust, monotone)
  }
  half <- error * if (control == "") {
    studentized_range_quantile(1 - level, a, Inf) / sqrt(2)
  } else {
    qnorm((1 - level) / (2 * (a - 1)), lower.tail = FALSE)
  }
  columns <- list(
    estimate = estimate,
    std_error = error,
    statistic = z,
    df = rep(Inf, length(z)),
    p_value = p,
    p_adjusted = p_adjusted,
    conf_low = estimate - half,
    conf_high = estimate + half
  )
  lapply(not_null(columns), setNames, pair_names(pairs, colnames(x)))
}

# Pairs by the signs of their differences of ranks, aligned ranks or weighted ranks;
# four times these are whole numbers. No interval goes with this test.
flipped_pairs <- function(x, pairs, method, adjust, monotone, p_value) {
  positions <- rank_positions(x, method, "permutation")
  d <- positions$cells[, pairs[, 1], drop = FALSE] -
    positions$cells[, pairs[, 2], drop = FALSE]
  p_of <- if (p_value == "sign-flips") sign_flip_p else sign_flip_saddlepoint_p
  p <- apply(round(4 * d), 2, p_of)
  length <- sqrt(colSums(d^2))
  length[length == 0] <- NaN # the two tie in every block
  columns <- list(
    estimate = colSums(d) / positions$unit,
    std_error = length / positions$unit,
    statistic = colSums(d) / length,
    df = rep(Inf, length(p)),
    p_value = p,
    p_adjusted = adjust_reference(p, adjust, monotone)$p_adjusted,
    conf_low = rep(NaN, length(p)),
    conf_high = rep(NaN, length(p))
  )
  lapply(not_null(columns), setNames, pair_names(pairs, colnames(x)))
}

# The same p-values from coin.
flipped_pairs_coin_reference <- function(x, better, method) {
  turned <- lower_is_better(x, better)
  pairs <- all_pairs(ncol(x))
  cells <- rank_positions(turned, method, "permutation")$cells
  d <- round(4 * (cells[, pairs[, 1], drop = FALSE] - cells[, pairs[, 2], drop = FALSE]))
  list(p_value = apply(d, 2, sign_flip_coin_p))
}

# Exact p of each pair: the chances of all values of the difference of two rank sums,
# block after block; two algorithms get two places of a block's ranks at random.
exact_pair_p <- function(ranks, pairs) {
  chance <- c("0" = 1)
  for (block in seq_len(nrow(ranks))) {
    step <- outer(ranks[block, ], ranks[block, ], "-")
    step <- table(step[row(step) != col(step)]) / (ncol(ranks) * (ncol(ranks) - 1))
    sums <- outer(as.numeric(names(chance)), as.numeric(names(step)), "+")
    chance <- tapply(outer(chance, as.numeric(step)), sums, sum)
  }
  sizes <- abs(as.numeric(names(chance)))
  sums <- colSums(ranks)
  observed <- abs(sums[pairs[, 1]] - sums[pairs[, 2]])
  vapply(observed, function(d) min(1, sum(chance[sizes >= d])), 0)
}

# z of equal size on paper may differ in the last digits after least squares; dynamic
# Shaffer asks which p-values are smaller, so ties are decided before it.
without_split_ties <- function(z) {
  if (anyNA(z)) {
    return(z)
  }
  order <- order(abs(z))
  sorted <- abs(z)[order]
  group <- cumsum(c(0, diff(sorted) > 1e-11 * sorted[-1]))
  z[order] <- ave(sorted, group, FUN = min)
  z
}

# Nemenyi's p-values come from z, since z from p has no digits left if p is 1.
adjust_rank_pairs <- function(z, a, adjust, monotone) {
  if (adjust == "nemenyi") {
    return(nemenyi_of_z(z, a))
  }
  adjust_reference(2 * pnorm(-abs(z)), adjust, monotone)$p_adjusted
}

# Rank sums, the unit that makes them mean ranks, and the variance of each difference
# of mean ranks: by the function NAME_positions of the method.
rank_positions <- function(x, method, std_error) {
  name <- paste0(gsub("-", "_", method), "_positions")
  if (!exists(name, mode = "function")) {
    stop("no method is called '", method, "'")
  }
  get(name, mode = "function")(x, std_error)
}

# A block deals out its numbers at random: the difference of two of them has variance
# 2 S^2, S^2 the variance of the numbers (divisor a - 1). Blocks add up.
dealt_variance <- function(numbers) sum(2 * apply(numbers, 1, var))

same_variance <- function(variance, a) matrix(variance, a, a)

friedman_positions <- function(x, std_error) {
  ranks <- rank_rows(x)
  n <- nrow(x)
  a <- ncol(x)
  variance <- if (std_error == "permutation") {
    dealt_variance(ranks) / n^2
  } else {
    a * (a + 1) / (6 * n) # Demsar (2006)
  }
  list(
    sums = colSums(ranks), unit = n, variance = same_variance(variance, a),
    cells = ranks
  )
}
