# Pairs of adjusted means: t, Tukey, Scheffe, Dunnett. Standard errors by vcov(lm).
# Needs linear.R, studentized_range.R, adjust.R, chi_points.R.

# x: blocks x algorithms, NA if missing. method: "t", "tukey", "scheffe", "dunnett",
# "dunnett-step-down". control: name of an algorithm, or "" for all pairs. alpha: of
# decisions with which no interval of t tests disagrees, with level as in adjust.R; NaN:
# intervals hold together with level.
mean_pairs_reference <- function(x, blocked, dataset = NULL, method, adjust = "none",
                                 control = "", level = 0.95, overlap = NULL,
                                 alpha = NaN) {
  fit <- fit_scores(x, blocked, dataset)
  a <- ncol(x)
  contrast <- pair_contrasts(a, match(control, colnames(x)))
  found <- contrast_table(fit, contrast, variance_ratio(overlap, dataset))
  p <- 2 * pt(-abs(found$t), found$df)
  result <- if (no_error(fit)) {
    p <- if (length(overlap) > 0) {
      rep(NaN, nrow(contrast))
    } else {
      exact_pairs_p(x, blocked, contrast, found$estimate)
    }
    list(p = adjust_tested(p, if (method == "t") adjust else "bonferroni"), half = NaN)
  } else {
    switch(method,
      t = t_pairs(found, adjust, level, alpha),
      tukey = tukey_pairs(found, a, level),
      scheffe = scheffe_pairs(found, a, level),
      dunnett = dunnett_pairs(found, level),
      `dunnett-step-down` = dunnett_pairs(found, level, TRUE)
    )
  }
  limits <- if (is.null(result$limits)) {
    half <- result$half * found$std_error
    list(conf_low = found$estimate - half, conf_high = found$estimate + half)
  } else {
    result$limits
  }
  columns <- not_null(list(
    estimate = found$estimate,
    std_error = found$std_error,
    statistic = found$t,
    df = rep(found$df, length(found$t)),
    p_value = p,
    p_adjusted = result$p,
    conf_low = limits$conf_low,
    conf_high = limits$conf_high
  ))
  # The first algorithm minus the second, under their names.
  labels <- apply(contrast, 1, function(one) {
    paste(colnames(x)[one == 1], "-", colnames(x)[one == -1])
  })
  not_null(c(
    lapply(columns, setNames, labels),
    list(
      means = adjusted_means(fit),
      significant_difference = if (method == "tukey") {
        honest_difference(result$half, found$std_error)
      }
    )
  ))
}

# Tukey's HSD, if all pairs have one standard error.
honest_difference <- function(half, std_error) {
  if (diff(range(std_error)) > 1e-9 * max(std_error)) NaN else half * mean(std_error)
}

# Without error: the share of arrangements within blocks, or of deals without blocks, that
# leave none either; NaN if the two do not differ, or if it has no simple count.
exact_pairs_p <- function(x, blocked, contrast, estimate) {
  vapply(seq_along(estimate), function(i) {
    two <- x[, contrast[i, ] != 0]
    n <- colSums(!is.na(two))
    if (estimate[i] == 0 || blocked && anyNA(x)) {
      NaN
    } else if (blocked) {
      exact_p(as.vector(two), as.vector(col(two)))
    } else {
      (1 + (n[[1]] == n[[2]])) / choose(sum(n), n[[1]])
    }
  }, 0)
}

# One row per comparison, one column per algorithm.
pair_contrasts <- function(a, control = NA) {
  one <- diag(a)
  if (is.na(control)) {
    pairs <- t(utils::combn(a, 2))
    one[pairs[, 1], , drop = FALSE] - one[pairs[, 2], , drop = FALSE]
  } else {
    others <- setdiff(seq_len(a), control)
    sweep(one[others, , drop = FALSE], 2, one[control, ])
  }
}

# Estimates, standard errors and correlations of contrasts of the algorithms.
contrast_table <- function(fit, contrast, ratio = 1) {
  named <- paste0("algorithm", seq_len(ncol(contrast))[-1])
  contrast <- contrast[, -1, drop = FALSE]
  # Without the variance, which is 0 if the fit is perfect.
  unscaled <- suppressWarnings(summary(fit))$cov.unscaled[named, named, drop = FALSE]
  covariance <- contrast %*% unscaled %*% t(contrast)
  estimate <- as.vector(contrast %*% coef(fit)[named])
  estimate[abs(estimate) <= score_noise(fit)] <- 0
  variance <- if (no_error(fit)) 0 else deviance(fit) / df.residual(fit)
  std_error <- sqrt(ratio * variance * diag(covariance))
  list(
    estimate = estimate,
    std_error = std_error,
    t = estimate / std_error,
    df = df.residual(fit),
    correlation = cov2cor(covariance)
  )
}

t_pairs <- function(found, adjust, level, alpha) {
  p <- 2 * pt(-abs(found$t), found$df)
  if (!is.nan(alpha)) {
    columns <- list(
      estimate = found$estimate, std_error = found$std_error,
      df = rep(found$df, length(p)), p_value = p
    )
    decided <- with_decisions(columns, adjust, alpha, level)
    return(list(p = decided$p_adjusted, limits = decided[c("conf_low", "conf_high")]))
  }
  list(
    p = adjust_reference(p, adjust)$p_adjusted,
    half = qt((1 - level) / (2 * length(p)), found$df, lower.tail = FALSE)
  )
}

tukey_pairs <- function(found, a, level) {
  list(
    p = ptukey(abs(found$t) * sqrt(2), a, found$df, lower.tail = FALSE),
    half = studentized_range_quantile(1 - level, a, found$df) / sqrt(2)
  )
}

scheffe_pairs <- function(found, a, level) {
  list(
    p = pf(found$t^2 / (a - 1), a - 1, found$df, lower.tail = FALSE),
    half = sqrt((a - 1) * qf(level, a - 1, found$df))
  )
}

dunnett_pairs <- function(found, level, step_down = FALSE) {
  tail <- function(t, kept = seq_along(found$t)) {
    dunnett_tail(t, found$correlation[kept, kept, drop = FALSE], found$df)
  }
  # One comparison alone is the lower bound, Bonferroni the upper.
  alone <- qt((1 - level) / 2, found$df, lower.tail = FALSE)
  all <- qt((1 - level) / (2 * length(found$t)), found$df, lower.tail = FALSE)
  half <- if (length(found$t) == 1) {
    alone
  } else {
    uniroot(function(t) tail(t) - (1 - level), c(alone, all), tol = 1e-12)$root
  }
  sizes <- abs(found$t)
  order <- order(-sizes)
  p <- if (step_down) {
    steps <- vapply(seq_along(order), function(j) {
      tail(sizes[order[j]], sort(order[j:length(order)]))
    }, 0)
    cummax(steps)[order(order)]
  } else {
    vapply(sizes, tail, 0)
  }
  list(p = p, half = half)
}

# P(max |T| > t) of a multivariate t with equal or product correlations, by two nested
# sums; with any others by mvtnorm::pmvt, which is random in the fifth digit.
dunnett_tail <- function(t, correlation, df) {
  loading <- control_loadings(correlation)
  if (is.null(loading)) {
    set.seed(1)
    m <- nrow(correlation)
    algorithm <- mvtnorm::GenzBretz(maxpts = 1e5, abseps = 1e-5)
    inside <- mvtnorm::pmvt(
      rep(-t, m), rep(t, m),
      df = df, corr = correlation, algorithm = algorithm
    )
    return(1 - as.vector(inside))
  }
  own <- sqrt(1 - loading^2)
  kinds <- unique(data.frame(loading, own))
  times <- vapply(kinds$loading, function(l) sum(loading == l), 0)
  # The trapezoidal rule, whose error falls exponentially for such integrands.
  step <- min(own) / 11
  z <- seq(0, 12, by = step)
  weight <- 2 * step * dnorm(z) * ifelse(z == 0, 0.5, 1)
  given_scale <- function(w) {
    logs <- 0
    for (k in seq_along(times)) {
      near <- outer(kinds$loading[k] * z, w, `-`) / kinds$own[k]
      far <- outer(-kinds$loading[k] * z, w, `-`) / kinds$own[k]
      logs <- logs + times[k] * log1p(-pmin(pnorm(near) + pnorm(far), 1))
    }
    colSums(weight * -expm1(logs))
  }
  by_points <- function(points) sum(points$weight * given_scale(t * points$s))
  p <- by_points(chi_points(df, t / min(own)))
  if (p < 1e-28) p <- by_points(chi_points(df, t / min(own), least = 1e-290))
  p
}

# l with correlations l_i l_j, or NULL.
control_loadings <- function(correlation) {
  m <- nrow(correlation)
  if (m == 1) {
    return(0)
  }
  # T and -T have the same size, so signs do not matter if they are those of a product.
  signs <- ifelse(correlation[1, ] < 0, -1, 1)
  correlation <- correlation * outer(signs, signs)
  if (m == 2) {
    return(rep(sqrt(correlation[1, 2]), 2))
  }
  if (any(correlation <= 0)) {
    return(NULL)
  }
  # log r_ij = log l_i + log l_j is a linear model.
  pairs <- t(utils::combn(m, 2))
  design <- matrix(0, nrow(pairs), m)
  design[cbind(seq_len(nrow(pairs)), pairs[, 1])] <- 1
  design[cbind(seq_len(nrow(pairs)), pairs[, 2])] <- 1
  loading <- exp(qr.solve(design, log(correlation[pairs])))
  off <- abs(outer(loading, loading) - correlation)[pairs]
  if (max(off) < 1e-10 && max(loading) < 1) loading
}

# The same from multcomp, with Monte Carlo error.
dunnett_multcomp_reference <- function(x, blocked, control, step_down = FALSE) {
  cells <- long_scores(x)
  at <- as.character(match(control, colnames(x)))
  cells$algorithm <- relevel(cells$algorithm, ref = at)
  model <- if (blocked) score ~ block + algorithm else score ~ algorithm
  fit <- lm(model, cells)
  set.seed(1)
  test <- summary(
    multcomp::glht(fit, multcomp::mcp(algorithm = "Dunnett")),
    multcomp::adjusted(
      if (step_down) "free" else "single-step",
      abseps = 1e-6, maxpts = 1e6
    )
  )
  list(p_adjusted = as.vector(test$test$pvalues))
}

# Second witness: differences of adjusted means by emmeans.
emmeans_reference <- function(x, blocked, dataset = NULL, method, adjust = "none",
                              control = "", level = 0.95) {
  cells <- long_scores(x, dataset)
  fit <- if (blocked) {
    lm(score ~ block + algorithm, data = cells)
  } else {
    lm(score ~ algorithm, data = cells)
  }
  means <- emmeans::emmeans(fit, "algorithm", data = cells)
  found <- summary(pairs(means, adjust = "none"))
  list(
    estimate = found$estimate, std_error = found$SE, statistic = found$t.ratio,
    df = found$df, p_value = found$p.value, means = summary(means)$emmean,
    tukey = summary(pairs(means, adjust = "tukey"))$p.value
  )
}
