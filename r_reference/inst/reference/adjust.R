# Adjusted p-values of one family.
#
# p.adjust where it has the method; the others are derived from their definitions. The
# methods for all pairs list the set partitions (package partitions): slow and plain.

# The adjusted p-values of a family of which some could not be tested: NaN is no
# evidence, still one of the family (it counts as 1), and stays NaN. NULL for method "".
adjust_tested <- function(p, method) {
  adjusted <- adjust_reference(ifelse(is.na(p), 1, p), method)$p_adjusted
  if (!is.null(adjusted)) {
    adjusted[is.na(p)] <- NaN
  }
  adjusted
}

# p: p-values of any family as a vector, or of all pairs of algorithms as a vector in
# the order (1,2), (1,3), ..., (a-1,a) or as a symmetric matrix.
# Gives list(p_adjusted = ...) in the order of the vector; nothing for method "": there
# are too many algorithms to repeat the adjustment here.
adjust_reference <- function(p, method, monotone = FALSE) {
  if (method == "") {
    return(list())
  }
  if (is.matrix(p)) {
    p <- t(p)[lower.tri(p)] # the upper triangle, row by row
  }
  if (anyNA(p)) {
    return(list(p_adjusted = rep(NaN, length(p))))
  }
  adjusted <- switch(method,
    none = , bonferroni = , holm = , hochberg = , hommel = , BH = , BY =
      p.adjust(p, method),
    sidak = adjust_sidak(p),
    holland = adjust_holland(p),
    finner = adjust_finner(p),
    rom = adjust_rom(p),
    li = adjust_li(p),
    nemenyi = adjust_nemenyi(p),
    shaffer = adjust_shaffer(p),
    "shaffer-dynamic" = adjust_shaffer_dynamic(p),
    "bergmann-hommel" = adjust_bergmann_hommel(p, monotone),
    stop("no adjustment is called '", method, "'")
  )
  list(p_adjusted = adjusted)
}

# A list without what was left out.
not_null <- function(columns) Filter(Negate(is.null), columns)

# All pairs of n positions, or each other one with the control, one row a pair.
pairs_of_positions <- function(n, control = NULL) {
  if (is.null(control)) t(combn(n, 2)) else cbind(setdiff(seq_len(n), control), control)
}

# 1 - (1 - p)^m without cancellation.
power_tail <- function(p, m) -expm1(m * log1p(-p))

# Put scaled p-values, given in ascending order of p, back in place; each is at least
# as large as those before it.
step_down <- function(p, scaled) {
  order <- order(p)
  p[order] <- pmin(1, cummax(scaled))
  p
}

adjust_sidak <- function(p) power_tail(p, length(p))

adjust_holland <- function(p) {
  step_down(p, power_tail(sort(p), rev(seq_along(p))))
}

adjust_finner <- function(p) {
  step_down(p, power_tail(sort(p), length(p) / seq_along(p)))
}

# Li: reject all if max(p) <= alpha, otherwise p <= alpha (1 - max(p)) / (1 - alpha).
adjust_li <- function(p) {
  ifelse(p == 0, 0, pmin(max(p), p / (p + 1 - max(p))))
}

# Rom's critical values c_1 >= c_2 >= ... >= c_m make the step-up procedure exact for
# any number r <= m of independent uniform p-values: with P_r the chance to reject
# nothing, P_r = 1 - alpha. If k of r is the largest number of p-values below the bound
# of the k-th smallest, c_(r-k+1), the other r - k are safe, so
# alpha = sum_(k=1..r) choose(r, k) c_(r-k+1)^k P_(r-k), P_0 = 1, solved for c_r.
rom_critical_values <- function(alpha, m) {
  critical <- alpha
  powers <- cumsum(alpha^seq_len(m)) # (alpha - alpha^r) / (1 - alpha) at r - 1
  for (r in seq_len(m)[-1]) {
    k <- seq_len(r - 1)[-1]
    critical[r] <- (powers[r - 1] - sum(choose(r, k) * critical[r - k + 1]^k)) / r
  }
  critical
}

# Step-up: from the largest p-value down, each adjusted is the alpha whose critical
# value it is, and none is larger than those before it.
adjust_rom <- function(p) {
  order <- order(p, decreasing = TRUE)
  level <- mapply(rom_level, p[order], seq_along(p))
  p[order] <- cummin(level)
  p
}

# The alpha at which the r-th critical value is p; alpha / p lies in [1, r].
rom_level <- function(p, r) {
  if (p == 0 || r == 1) {
    return(p)
  }
  if (p >= rom_critical_values(1, r)[r]) {
    return(1)
  }
  excess <- function(log_ratio) {
    log(rom_critical_values(min(1, p * exp(log_ratio)), r)[r] / p)
  }
  root <- uniroot(excess, c(0, log(r)), extendInt = "upX", tol = 1e-15)$root
  p * exp(root)
}

# Studentised range, from the z that belongs to each two-sided normal p-value.
adjust_nemenyi <- function(p) {
  z <- qnorm(p / 2, lower.tail = FALSE)
  ptukey(z * sqrt(2), algorithms_of(p), Inf, lower.tail = FALSE)
}

# Number of algorithms behind the p-values of all pairs.
algorithms_of <- function(p) {
  a <- (1 + sqrt(1 + 8 * length(p))) / 2
  if (a != round(a)) {
    stop(length(p), " p-values are not those of all pairs of algorithms")
  }
  a
}

# Shaffer's static procedure; S(a) by the recursion of her paper.
adjust_shaffer <- function(p) {
  m <- length(p)
  counts <- possible_counts(algorithms_of(p))
  at_most <- vapply(m:1, function(left) max(counts[counts <= left]), 0)
  step_down(p, at_most * sort(p))
}

# Numbers of pair hypotheses of a algorithms that can be true at once: a group of j
# equals, and what the other a - j allow.
possible_counts <- function(a) {
  counts <- list(0, 0) # for no and for one algorithm
  for (size in seq_len(a)[-1]) {
    counts[[size + 1]] <- unique(unlist(lapply(seq_len(size), function(j) {
      choose(j, 2) + counts[[size - j + 1]]
    })))
  }
  sort(counts[[a + 1]])
}

# All sets of pair hypotheses that can be true at once, one per column of a logical
# matrix whose rows are the pairs.
exhaustive_sets <- function(a) {
  if (a > 10) {
    stop("listing the partitions of ", a, " algorithms is too much; 10 is the limit")
  }
  groups <- partitions::setparts(a)
  pairs <- utils::combn(a, 2)
  sets <- unclass(groups)[pairs[1, ], , drop = FALSE] ==
    unclass(groups)[pairs[2, ], , drop = FALSE]
  sets[, colSums(sets) > 0, drop = FALSE]
}

# Smallest p-value in each set.
smallest_in <- function(sets, p) {
  smallest <- rep(Inf, ncol(sets))
  for (pair in seq_along(p)) {
    inside <- sets[pair, ]
    smallest[inside] <- pmin(smallest[inside], p[pair])
  }
  smallest
}

# Shaffer's dynamic procedure: the largest set that contains the hypothesis and none
# with a smaller p-value, times p, and at least the same of all smaller p-values.
adjust_shaffer_dynamic <- function(p) {
  sets <- exhaustive_sets(algorithms_of(p))
  size <- colSums(sets)
  smallest <- smallest_in(sets, p)
  largest <- vapply(seq_along(p), function(pair) {
    max(size[sets[pair, ] & smallest >= p[pair]])
  }, 0)
  # No smaller than what any p-value up to its own gets: ties share the largest.
  pmin(1, vapply(p, function(value) max((largest * p)[p <= value]), 0))
}

# Bergmann and Hommel: the largest |I| min(p in I) of all sets I with the hypothesis.
# monotone: also let no adjusted p-value be below that of a smaller p-value.
adjust_bergmann_hommel <- function(p, monotone = FALSE) {
  sets <- exhaustive_sets(algorithms_of(p))
  bound <- colSums(sets) * smallest_in(sets, p)
  adjusted <- vapply(seq_along(p), function(pair) max(bound[sets[pair, ]]), 0)
  if (monotone) {
    adjusted <- vapply(p, function(value) max(adjusted[p <= value]), 0)
  }
  pmin(1, adjusted)
}

# Shaffer's dynamic procedure by multcomp, from mean ranks with a common standard error
# of their differences; 3 to 6 algorithms. Pairs in the order (1,2), (1,3), ...
shaffer_dynamic_multcomp_reference <- function(mean_ranks, std_error) {
  a <- length(mean_ranks)
  coefficients <- setNames(mean_ranks, paste0("L", seq_len(a)))
  model <- multcomp::parm(coefficients, diag(a) * std_error^2 / 2)
  pairs <- utils::combn(a, 2)
  contrasts <- t(apply(pairs, 2, function(pair) replace(numeric(a), pair, c(1, -1))))
  tests <- summary(
    multcomp::glht(model, linfct = contrasts),
    test = multcomp::adjusted("Shaffer")
  )
  list(p_adjusted = as.numeric(tests$test$pvalues))
}
