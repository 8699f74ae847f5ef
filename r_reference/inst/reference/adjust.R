# Adjusted p-values of one family.
#
# p.adjust if it has the method; the others are derived from their definitions. The
# methods for all pairs list the set partitions (package partitions), slow and plain, or
# search them if they are too many.

# The adjusted p-values of a family of which some could not be tested: NaN is no
# evidence, still one of the family (it is set to 1), and stays NaN. NULL for
# method "".
adjust_tested <- function(p, method) adjust_reference(p, method)$p_adjusted

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
  untested <- is.na(p) # is set to 1 in its family and stays NaN
  p[untested] <- 1
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
    "hochberg-rom" = adjust_hochberg_rom(p),
    stop("no adjustment is called '", method, "'")
  )
  adjusted[untested] <- NaN
  list(p_adjusted = adjusted)
}

# The raw p-value up to which the family is rejected: alpha/(m - r) for r of m pairs.
last_step <- function(p, p_adjusted, alpha) {
  rejected <- !is.na(p_adjusted) & p_adjusted <= alpha
  last <- max(alpha / max(1, length(p) - sum(rejected)), p[rejected])
  least <- min(1, p[!rejected & !is.na(p)])
  if (last < least) last else least * (1 - .Machine$double.neg.eps)
}

# Limits that hold 0 exactly when the difference is not significant.
agreeing_with_0 <- function(limits, estimate, excludes_0) {
  agreeing_with(limits, estimate, excludes_0, 0, 2^-1074, 2^-1074)
}

# The same of another value that is no difference; below, above: how far the next numbers
# are from it.
agreeing_with <- function(limits, distance, excludes, null, below, above) {
  if (anyNA(limits)) {
    return(limits)
  }
  if (!excludes) {
    return(c(min(limits[1], null), max(limits[2], null)))
  }
  # A limit that is the null value but for rounding is left out like the value itself.
  rounding <- 1e-12 * abs(distance)
  if (isTRUE(distance > 0) && limits[1] - null <= rounding) limits[1] <- null + above
  if (isTRUE(distance < 0) && limits[2] - null >= -rounding) limits[2] <- null - below
  limits
}

# t intervals at the level of the last step, which agree with the decisions at alpha;
# level: theirs, if the decisions are not made here. NaN without a variance.
t_limits_of_decisions <- function(columns, p_adjusted, alpha, level) {
  p <- columns$p_value
  made_here <- is.nan(level)
  last <- if (made_here) last_step(p, p_adjusted, alpha) else 1 - level
  decided <- if (made_here) p_adjusted <= alpha else p <= last
  half <- qt(last / 2, columns$df, lower.tail = FALSE) * columns$std_error
  half[columns$std_error == 0] <- NaN
  limits <- vapply(seq_along(p), function(i) {
    own <- columns$estimate[i] + c(-1, 1) * half[i]
    agreeing_with_0(own, columns$estimate[i], decided[i] %in% TRUE)
  }, c(0, 0))
  list(conf_low = limits[1, ], conf_high = limits[2, ])
}

# Columns of t tests with adjusted p-values, and intervals that agree with decisions at
# alpha; NaN: the intervals stay.
with_decisions <- function(columns, adjust, alpha, level) {
  p_adjusted <- adjust_tested(columns$p_value, adjust)
  if (!is.nan(alpha)) {
    limits <- t_limits_of_decisions(columns, p_adjusted, alpha, level)
    columns[names(limits)] <- limits
  }
  not_null(c(columns, list(p_adjusted = p_adjusted)))
}

# Raw tests of pairs, adjusted as one family; alpha: intervals agree with decisions at
# it, as in with_decisions(). Nemenyi's p-values come from z if raw p-values do, since z
# from p has no digits left if p is 1; of exact tests they come from p.
adjusted_pairs <- function(raw, adjust, monotone = FALSE, alpha = NaN, level = NaN) {
  if (length(raw) == 0) {
    return(raw) # the test stopped, and said why
  }
  columns <- raw[setdiff(names(raw), "p_adjusted")]
  if (!is.nan(alpha)) {
    columns <- with_decisions(columns, adjust, alpha, level)
  } else if (adjust == "nemenyi" && are_of_z(raw)) {
    columns$p_adjusted <- nemenyi_of_z(raw$statistic, algorithms_of(raw$statistic))
  } else {
    columns$p_adjusted <- adjust_reference(raw$p_value, adjust, monotone)$p_adjusted
  }
  each <- intersect(c("p_adjusted", "conf_low", "conf_high"), names(columns))
  columns[each] <- lapply(columns[each], setNames, names(raw$p_value))
  columns
}

# Whether p-values are those of normal statistics.
are_of_z <- function(raw) {
  isTRUE(all.equal(unname(raw$p_value), 2 * pnorm(-abs(unname(raw$statistic)))))
}

# A list without the omitted parts.
not_null <- function(columns) Filter(Negate(is.null), columns)

# All pairs of n positions, or each other one with the control, one row per
# pair.
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
  nemenyi_of_z(qnorm(p / 2, lower.tail = FALSE), algorithms_of(p))
}

nemenyi_of_z <- function(z, a) ptukey(abs(z) * sqrt(2), a, Inf, lower.tail = FALSE)

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
  a <- algorithms_of(p)
  largest <- if (a > 10) {
    largest_by_cliques(p)
  } else {
    sets <- exhaustive_sets(a)
    size <- colSums(sets)
    smallest <- smallest_in(sets, p)
    vapply(seq_along(p), function(pair) {
      max(size[sets[pair, ] & smallest >= p[pair]])
    }, 0)
  }
  # No smaller than what any p-value up to its own gets: ties share the largest.
  pmin(1, vapply(p, function(value) max((largest * p)[p <= value]), 0))
}

# Bergmann and Hommel: the largest |I| min(p in I) of all sets I with the hypothesis.
# monotone: also let no adjusted p-value be below that of a smaller p-value.
adjust_bergmann_hommel <- function(p, monotone = FALSE) {
  adjusted <- if (algorithms_of(p) > 10) {
    bergmann_hommel_by_cliques(p)
  } else {
    sets <- exhaustive_sets(algorithms_of(p))
    bound <- colSums(sets) * smallest_in(sets, p)
    vapply(seq_along(p), function(pair) max(bound[sets[pair, ]]), 0)
  }
  if (monotone) {
    adjusted <- vapply(p, function(value) max(adjusted[p <= value]), 0)
  }
  pmin(1, adjusted)
}

# Hochberg and Rom: the closed test with Simes' test of each set, at most 10 algorithms.
adjust_hochberg_rom <- function(p) {
  sets <- exhaustive_sets(algorithms_of(p))
  by_simes <- apply(sets, 2, function(inside) {
    min(sum(inside) * sort(p[inside]) / seq_len(sum(inside)))
  })
  pmin(1, vapply(seq_along(p), function(pair) max(by_simes[sets[pair, ]]), 0))
}

# ---- more than 10 algorithms: no list of partitions
#
# A set with no p-value below v is a partition of the algorithms into cliques of the graph
# that joins pairs with p >= v. Its size, the sum of choose(size of a block, 2), is convex
# in the sizes of the blocks, so some largest block can grow until it is a maximal clique
# of what it is cut from: only such blocks need to be tried.

# max over v <= p of v times the size of the largest set that contains the pair.
bergmann_hommel_by_cliques <- function(p) {
  a <- algorithms_of(p)
  pairs <- utils::combn(a, 2)
  search <- list()
  values <- sort(unique(p), decreasing = TRUE)
  for (v in values) {
    search[[as.character(match(v, values))]] <- clique_search(p, v, pairs, a)
  }
  whole <- vapply(seq_along(values), function(k) search[[k]]$largest(seq_len(a)), 0)
  vapply(seq_along(p), function(pair) {
    found <- 0
    for (k in which(values <= p[pair])) {
      # The size without the pair held together is a bound; smaller v have less to give.
      if (found >= 1 || values[k] * choose(a, 2) <= found) break
      if (values[k] * whole[k] <= found) next
      found <- max(found, values[k] * search[[k]]$with_pair(seq_len(a), pairs[, pair]))
    }
    found
  }, 0)
}

# The size of the largest set with each pair and no p-value below its own.
largest_by_cliques <- function(p) {
  a <- algorithms_of(p)
  pairs <- utils::combn(a, 2)
  vapply(seq_along(p), function(pair) {
    clique_search(p, p[pair], pairs, a)$with_pair(seq_len(a), pairs[, pair])
  }, 0)
}

# Two functions for the graph of pairs with p >= v; both remember what they found.
clique_search <- function(p, v, pairs, a) {
  joined <- matrix(FALSE, a, a)
  joined[t(pairs[, p >= v, drop = FALSE])] <- TRUE
  joined <- joined | t(joined)
  known <- new.env(hash = TRUE, parent = emptyenv())

  # Maximal cliques within some algorithms, by Bron and Kerbosch with a pivot.
  maximal <- function(inside) {
    found <- list()
    grow <- function(clique, open, done) {
      if (length(open) == 0) {
        if (length(done) == 0) found[[length(found) + 1]] <<- clique
        return(invisible())
      }
      either <- c(open, done)
      pivot <- either[which.max(colSums(joined[open, either, drop = FALSE]))]
      for (u in open[!joined[open, pivot]]) {
        grow(c(clique, u), open[joined[open, u]], done[joined[done, u]])
        open <- setdiff(open, u)
        done <- c(done, u)
      }
    }
    grow(integer(), inside, integer())
    found[order(-lengths(found))]
  }

  # At most so much with blocks of at most this size.
  bound <- function(n, size) (n %/% size) * choose(size, 2) + choose(n %% size, 2)

  largest <- function(inside) {
    n <- length(inside)
    if (n < 2) {
      return(0)
    }
    if (sum(joined[inside, inside]) == n * (n - 1)) {
      return(choose(n, 2))
    }
    key <- paste(sort(inside), collapse = " ")
    if (is.null(known[[key]])) {
      best <- 0
      for (block in maximal(inside)) {
        k <- length(block)
        if (bound(n, k) <= best) break
        best <- max(best, choose(k, 2) + largest(setdiff(inside, block)))
      }
      known[[key]] <- best
    }
    known[[key]]
  }

  # The same with the two of a pair in one block: a largest block is theirs, or it is
  # a maximal clique of the others.
  with_pair <- function(inside, pair) {
    n <- length(inside)
    if (sum(joined[inside, inside]) == n * (n - 1)) {
      return(choose(n, 2))
    }
    key <- paste(c(sort(inside), "with", pair), collapse = " ")
    if (is.null(known[[key]])) {
      common <- inside[joined[inside, pair[1]] & joined[inside, pair[2]]]
      best <- 0
      for (more in maximal(common)) {
        block <- c(pair, more)
        best <- max(best, choose(length(block), 2) + largest(setdiff(inside, block)))
      }
      for (block in maximal(setdiff(inside, pair))) {
        k <- length(block)
        if (k < 2 || bound(n, k) <= best) break
        best <- max(best, choose(k, 2) + with_pair(setdiff(inside, block), pair))
      }
      known[[key]] <- best
    }
    known[[key]]
  }

  list(largest = largest, with_pair = with_pair)
}

# The smallest of all p-values, raw and by Bonferroni.
smallest_p_reference <- function(p) {
  list(statistic = min(p), p_value = min(1, length(p) * min(p)))
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
