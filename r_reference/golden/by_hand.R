# Adjusted p-values by their definitions, for ranks.R and padjust.R: plain, slow, apart from
# the code that pycompare calls live (../inst/reference/adjust.R).

finner_acc <- function(p) stepped_down(p, function(m) m / seq_len(m))

holland_acc <- function(p) stepped_down(p, function(m) m - seq_len(m) + 1)

# 1 - (1 - p_(i))^power_i, running maximum, in the order of the input.
stepped_down <- function(p, power) {
  o <- order(p)
  found <- -expm1(power(length(p)) * log1p(-p[o]))
  found <- pmin(1, cummax(found))
  found[order(o)]
}

# Rom (1990): critical values of the ordered p-values, smallest first.
rom_crit <- function(m, alpha) {
  a <- alpha
  for (i in seq_len(m)[-1]) {
    j <- seq_len(i - 2)
    a[i] <- (sum(alpha^seq_len(i - 1)) - sum(choose(i, j) * a[j + 1]^(i - j))) / i
  }
  rev(a)
}

# Step-up at a fixed alpha: the smallest alpha / critical value * p at or after each place.
rom_adj_linear <- function(p, alpha) {
  o <- order(p)
  ratio <- alpha / rom_crit(length(p), alpha)
  found <- rev(cummin(rev(pmin(1, ratio * p[o]))))
  found[order(o)]
}

# The smallest alpha at which the step-up procedure rejects.
rom_adj_exact <- function(p) {
  m <- length(p)
  o <- order(p)
  own <- vapply(seq_len(m), function(i) {
    excess <- function(log_alpha) log(rom_crit(m, exp(log_alpha))[i]) - log(p[o][i])
    if (p[o][i] == 0 || i == m) {
      return(p[o][i])
    }
    if (excess(0) <= 0) {
      return(1)
    }
    exp(uniroot(excess, c(log(p[o][i]), 0), tol = 1e-14)$root)
  }, 0)
  rev(cummin(rev(own)))[order(o)]
}

# Exhaustive sets of hypotheses: the pairs within the groups of a partition.
exhaustive_sets <- local({
  known <- list()
  function(k) {
    key <- as.character(k)
    if (is.null(known[[key]])) {
      pairs <- t(combn(k, 2))
      groups <- unclass(partitions::setparts(k))
      known[[key]] <<- groups[pairs[, 1], , drop = FALSE] ==
        groups[pairs[, 2], , drop = FALSE]
    }
    known[[key]]
  }
})

bergmann_hommel_nocummax_bf <- function(p, k) {
  sets <- exhaustive_sets(k)
  sets <- sets[, colSums(sets) > 0, drop = FALSE]
  value <- colSums(sets) * apply(sets, 2, function(inside) min(p[inside]))
  pmin(1, apply(sets, 1, function(holds) max(value[holds])))
}

bergmann_hommel_bf <- function(p, k) {
  o <- order(p)
  cummax(bergmann_hommel_nocummax_bf(p, k)[o])[order(o)]
}

# Hypotheses that can be true at once: t_i, given the order of the p-values.
shaffer_by <- function(p, k, largest) {
  o <- order(p)
  sets <- exhaustive_sets(k)[o, , drop = FALSE]
  t <- vapply(seq_along(p), function(i) largest(sets, i), 0)
  structure(pmin(1, cummax(t * p[o]))[order(o)], t = t)
}

shaffer_static_bf <- function(p, k) {
  m <- length(p)
  shaffer_by(p, k, function(sets, i) {
    sizes <- colSums(sets)
    max(sizes[sizes <= m - i + 1])
  })
}

shaffer_dynamic_literal_bf <- function(p, k) {
  shaffer_by(p, k, function(sets, i) {
    rejected <- colSums(sets[seq_len(i - 1), , drop = FALSE]) > 0
    max(colSums(sets)[!rejected])
  })
}

shaffer_dynamic_containing_bf <- function(p, k) {
  shaffer_by(p, k, function(sets, i) {
    rejected <- colSums(sets[seq_len(i - 1), , drop = FALSE]) > 0
    max(colSums(sets)[!rejected & sets[i, ]])
  })
}
