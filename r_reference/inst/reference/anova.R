# Analysis of variance with effect sizes and sphericity: anova(lm()), pf(ncp = ),
# mauchly.test, stats:::sphericity. Needs linear.R.

# x: blocks x algorithms, NA if missing. sphericity: complete blocks only.
anova_reference <- function(x, blocked, dataset = NULL, level = 0.95,
                            sphericity = FALSE, overlap = NULL) {
  fit <- fit_scores(x, blocked, dataset)
  ratio <- variance_ratio(overlap, dataset)
  table <- corrected_table(exact_table(fit), ratio)
  found <- list(
    df = table[["Df"]],
    sum_sq = table[["Sum Sq"]],
    mean_sq = table[["Mean Sq"]],
    statistic = table[["F value"]],
    p_value = table[["Pr(>F)"]],
    means = adjusted_means(fit), variance_ratio = ratio
  )
  # A block with one algorithm compares nothing and is no part of the effect sizes.
  kept <- !blocked | rowSums(!is.na(x)) > 1
  if (!all(kept)) {
    part <- if (length(dataset) > 0) dataset[kept]
    fit <- fit_scores(x[kept, , drop = FALSE], blocked, part)
  }
  found <- c(found, effect_sizes(corrected_table(exact_table(fit), ratio), level, ratio))
  if (!sphericity) return(found)
  c(found, sphericity_of(x, table[["F value"]][nrow(table) - 1]))
}

# anova() without the noise of rounding: a sum of squares that is only noise is 0. Without
# error F has no distribution, and arrangements of complete blocks are counted.
exact_table <- function(fit) {
  table <- suppressWarnings(anova(fit))
  y <- model.response(model.frame(fit))
  noise <- length(y) * score_noise(fit)^2
  rows <- nrow(table)
  if (is.finite(noise) && any(table[["Sum Sq"]] <= noise)) {
    table[["Sum Sq"]][table[["Sum Sq"]] <= noise] <- 0
    table[["Mean Sq"]] <- table[["Sum Sq"]] / table[["Df"]]
    f <- table[["Mean Sq"]] / table[["Mean Sq"]][rows]
    table[["F value"]] <- c(f[-rows], NA)
    p <- pf(table[["F value"]], table[["Df"]], table[["Df"]][rows], lower.tail = FALSE)
    if (table[["Sum Sq"]][rows] == 0) {
      p[] <- NaN
      cells <- model.frame(fit)
      if (table[["Sum Sq"]][rows - 1] > 0) p[rows - 1] <- exact_p(y, cells$algorithm)
    }
    table[["Pr(>F)"]] <- p
  }
  table
}

# F of the algorithms over the ratio; blocks then have none.
corrected_table <- function(table, ratio) {
  if (ratio == 1) {
    return(table)
  }
  rows <- nrow(table)
  f <- table[["F value"]][rows - 1] / ratio
  df <- table[["Df"]][c(rows - 1, rows)]
  table[["F value"]] <- c(rep(NaN, rows - 2), f, NaN)
  p <- if (is.infinite(f)) NaN else pf(f, df[1], df[2], lower.tail = FALSE) # no error
  table[["Pr(>F)"]] <- c(rep(NaN, rows - 2), p, NaN)
  table
}

# Shares of variance of the last term before the residuals: effectsize's F_to_eta2 and
# F_to_omega2, with the interval of F_to_eta2 for both.
effect_sizes <- function(table, level, ratio = 1) {
  rows <- nrow(table)
  f <- table[["F value"]][rows - 1]
  df <- table[["Df"]][c(rows - 1, rows)]
  sums <- table[["Sum Sq"]]
  sums[rows - 1] <- sums[rows - 1] / ratio
  limits <- c(
    noncentrality(f, df, (1 + level) / 2), noncentrality(f, df, (1 - level) / 2)
  )
  own <- limits / (limits + df[2])
  blocks <- sum(sums[seq_len(rows - 2)])
  general <- limits / (limits + df[2] * (1 + blocks / sums[rows]))
  list(
    partial_eta2 = sums[rows - 1] / (sums[rows - 1] + sums[rows]),
    partial_eta2_conf_low = own[1],
    partial_eta2_conf_high = own[2],
    omega2 = if (f %in% Inf) 1 else df[1] * (f - 1) / (df[1] * f + df[2] + 1),
    omega2_conf_low = own[1],
    omega2_conf_high = own[2],
    generalised_eta2 = if (is.nan(f)) NaN else sums[rows - 1] / sum(sums),
    generalised_eta2_conf_low = general[1],
    generalised_eta2_conf_high = general[2]
  )
}

# The noncentrality at which P(F <= f) is p, 0 if there is none.
noncentrality <- function(f, df, p) {
  if (!is.finite(f)) {
    return(NaN)
  }
  if (pf(f, df[1], df[2]) <= p) {
    return(0)
  }
  excess <- function(ncp) pf(f, df[1], df[2], ncp = ncp) - p
  above <- 1 + df[1] * f
  while (excess(above) > 0) above <- 2 * above
  uniroot(excess, c(0, above), tol = 1e-13)$root
}

# mauchly.test has W; its p-value takes 3 * p from the number of algorithms if the
# expansion has the number of contrasts (Anderson 2003, sec. 10.7), so it is made here.
# stats:::sphericity is off in small units (1e-9) and beside large levels of blocks, so
# both are taken away first; and with two blocks Huynh and Feldt's epsilon is 0/0. f: of
# the algorithms.
sphericity_of <- function(x, f) {
  noise <- 64 * .Machine$double.eps * max(abs(x))
  x <- x - rowMeans(x)
  constant <- constant_difference(x, noise)
  x <- x / max(abs(x))
  fit <- lm(x ~ 1)
  covariance <- SSD(fit)
  epsilon <- stats:::sphericity(covariance, X = ~1)
  w <- if (constant) {
    0
  } else if (nrow(x) > ncol(x) - 1) {
    mauchly.test(fit, X = ~1)$statistic[[1]]
  } else {
    NaN
  }
  df <- c(1, nrow(x) - 1) * (ncol(x) - 1)
  p_of <- function(epsilon) pf(f, epsilon * df[1], epsilon * df[2], lower.tail = FALSE)
  q <- ncol(x) - 1
  list(
    mauchly = w,
    sphericity_df = q * (q + 1) / 2 - 1,
    mauchly_p_value = mauchly_p_value(w, ncol(x) - 1, nrow(x) - 1),
    greenhouse_geisser = epsilon$GG.eps,
    huynh_feldt = if (nrow(x) == 2) NaN else epsilon$HF.eps,
    p_greenhouse_geisser = p_of(epsilon$GG.eps),
    p_huynh_feldt = if (nrow(x) == 2) NaN else p_of(min(1, epsilon$HF.eps))
  )
}

# Whether a contrast of algorithms is the same in all blocks, so that det S is 0, which
# rounding would make tiny or negative. x: without the means of blocks.
constant_difference <- function(x, noise) {
  if (nrow(x) <= ncol(x) - 1) return(FALSE)
  d <- svd(sweep(x, 2, colMeans(x)))$d[seq_len(ncol(x) - 1)]
  least <- d[length(d)]
  least <= noise || (least / d[1])^2 < length(d) * .Machine$double.eps^2
}

# Box's expansion to two terms: q contrasts, n degrees of freedom.
mauchly_p_value <- function(w, q, n) {
  rho <- 1 - (2 * q^2 + q + 2) / (6 * q * n)
  second <- (q + 2) * (q - 1) * (q - 2) * (2 * q^3 + 6 * q^2 + 3 * q + 2) /
    (288 * (n * q * rho)^2)
  z <- -n * rho * log(w)
  f <- q * (q + 1) / 2 - 1
  tails <- pchisq(z, c(f, f + 4), lower.tail = FALSE)
  tails[1] + second * (tails[2] - tails[1])
}

# Second witness: the algorithms adjusted for blocks, by car.
car_anova_reference <- function(x) {
  table <- car::Anova(fit_scores(x, TRUE), type = 2)
  list(
    df = table[c("algorithm", "Residuals"), "Df"],
    sum_sq = table[c("algorithm", "Residuals"), "Sum Sq"],
    statistic = table["algorithm", "F value"],
    p_value = table["algorithm", "Pr(>F)"]
  )
}
