# Signed rank tests of pairs over blocks in clusters: own derivation. Flips of the signed
# rank sums of clusters are listed, of more than 12 clusters convolved. Needs ranks.R,
# paired.R, wilcoxon.R, adjust.R, signed_rank_pairs.R.

# x, better, adjust, control, alpha, level, scale: as in signed_rank_pairs_reference;
# cluster: number of the cluster of each row of x.
clustered_signed_rank_pairs_reference <- function(x, better, cluster, adjust = "none",
                                                  control = "", alpha = 0.05,
                                                  level = NaN,
                                                  scale = "difference") {
  x <- on_scale(x, scale)
  alone <- signed_rank_pairs_reference(x, better, "none", control, alpha)
  pairs <- compared_pairs(colnames(x), control)
  tables <- lapply(seq_len(nrow(pairs)), function(i) {
    both <- x[, pairs[i, ], drop = FALSE]
    kept <- stats::complete.cases(both)
    list(
      d = pair_differences(both[kept, , drop = FALSE]),
      noise = pair_noise(both[kept, , drop = FALSE]), cluster = cluster[kept]
    )
  })
  p <- vapply(seq_along(tables), function(i) {
    of <- tables[[i]]
    if (length(of$d) == 0) {
      return(NaN)
    }
    sums <- sums_of_clusters(of$d, of$noise, of$cluster)
    estimate <- alone$estimate[i]
    if (estimate == 0 || sign(estimate) != sign(sum(sums))) 1 else flips_p(sums)
  }, 0)
  p_adjusted <- adjust_tested(p, adjust)
  last <- if (is.nan(level)) last_step(p, p_adjusted, alpha) else 1 - level
  limits <- do.call(rbind, lapply(seq_along(tables), function(i) {
    of <- tables[[i]]
    if (length(of$d) == 0) {
      return(c(NaN, NaN))
    }
    found <- clustered_limits(of$d, of$noise, of$cluster, last)
    agreeing_with_0(found, alone$estimate[i], isTRUE(p[i] <= last))
  }))
  n_clusters <- vapply(tables, function(of) length(unique(of$cluster)), 0)
  columns <- not_null(c(
    list(estimate = from_scale(alone$estimate, scale)),
    alone[c("std_error", "statistic", "df")],
    list(
      p_value = p, p_adjusted = p_adjusted, conf_low = from_scale(limits[, 1], scale),
      conf_high = from_scale(limits[, 2], scale), conf_level = rep(1 - last, length(p))
    ),
    alone[c("n_blocks", "wins", "ties", "losses")],
    list(n_clusters = n_clusters)
  ))
  of_pairs(columns, pairs, colnames(x))
}

sums_of_clusters <- function(d, noise, cluster) {
  kept <- d != 0
  ranks <- numeric(length(d))
  ranks[kept] <- signed_midranks(d, noise, "wilcox")
  as.vector(rowsum(ranks, cluster))
}

# The share of all flips whose sum is as far from 0; sums are multiples of 1/2.
flips_p <- function(sums) {
  if (length(sums) > 12) {
    return(convolved_p(round(2 * sums)))
  }
  flips <- 0
  for (one in sums) flips <- c(flips + one, flips - one)
  mean(abs(flips) >= abs(sum(sums)) - 0.25)
}

# The same of whole numbers: the distribution of the sum of those that are turned.
convolved_p <- function(sums) {
  sizes <- abs(sums)
  total <- sum(sizes)
  share <- c(1, numeric(total))
  for (one in sizes[sizes > 0]) {
    share <- (share + c(numeric(one), share[seq_len(total + 1 - one)])) / 2
  }
  sum(share[abs(2 * (0:total) - total) >= abs(sum(sums))])
}

# P(|T| >= t) is at most 2 * 3.179 P(Z >= t / sqrt(sum(sums^2))), Z standard normal
# (Bentkus & Dzindzalieta 2015): what it rejects need not be listed.
surely_below <- function(sums, last) {
  far <- abs(sum(sums)) / sqrt(max(1, sum(sums^2)))
  2 * 3.179 * stats::pnorm(-far) < last
}

# From the smallest to the largest value between means of two that is not rejected.
clustered_limits <- function(d, noise, cluster, last) {
  if (2 * 0.5^length(unique(cluster)) > last) {
    return(c(-Inf, Inf))
  }
  if (length(unique(cluster)) == length(d)) {
    found <- walsh_interval(d, "two.sided", 1 - last)
    return(c(found$conf_low, found$conf_high))
  }
  means <- outer(d / 2, d / 2, "+")
  means <- sort(means[!lower.tri(means)])
  gaps <- which(diff(means) > 64 * .Machine$double.eps * max(noise))
  first_kept <- function(gaps) {
    for (i in gaps) {
      moved <- d - (means[i] / 2 + means[i + 1] / 2)
      sums <- sums_of_clusters(moved, noise, cluster)
      if (!surely_below(sums, last) && flips_p(sums) >= last - 1e-14) {
        return(i)
      }
    }
    NA
  }
  low <- first_kept(gaps)
  if (is.na(low)) {
    return(rep(means[length(means) %/% 2 + 1], 2))
  }
  c(means[low], means[first_kept(rev(gaps)) + 1])
}
