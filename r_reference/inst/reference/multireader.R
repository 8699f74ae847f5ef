# Readers and cases: Obuchowski-Rockette and Dorfman-Berbaum-Metz. Pseudovalues by leaving
# out one case (or cluster) at a time, their analysis by aov with Error strata, DeLong's
# covariances by pROC, those of clusters by an own derivation; error terms and Hillis'
# degrees of freedom from their definitions. Needs adjust.R, roc.R, delong_clusters.R, and
# signed_rank_pairs.R for the largest of three p-values.

# rating: cases x cells, all readers of the first modality, then of the second, ...
# truth: 0 and 1 (wafroc: 0, and the weight of a lesion); cluster: NULL or a number for
# each case; parameters: the threshold of a sensitivity or specificity, else the range
# of false positive rates; limits: the least and the largest figure, NA without;
# pair_tests: "largest" has the largest of three p-values for new readers and new cases,
# with intervals of the level that the adjustment at alpha leaves, or pair_level;
# pair_level: else that of pairs, if it is another than descriptive_level, which all
# other intervals have.
mrmc_reference <- function(rating, truth, cluster, n_modalities, figure, parameters,
                           method, covariance, readers, cases, rule, pooled,
                           adjust = "holm", descriptive_level = 0.95, margin = NULL,
                           higher = TRUE, control = NULL, limits = c(NA, NA),
                           pair_tests = "published", alpha = NaN, pair_level = NaN) {
  # NA if a case was not rated.
  figures <- function(kept) {
    apply(rating[kept, , drop = FALSE], 2, function(x) {
      read <- !is.na(x)
      if (!any(read)) {
        return(NA)
      }
      figure_of_merit(truth[kept][read], x[read], figure, parameters)
    })
  }
  theta <- figures(seq_along(truth))
  unit <- if (is.null(cluster)) seq_along(truth) else cluster
  jackknife <- covariance == "jackknife"
  less <- if (jackknife) {
    t(vapply(unique(unit), function(u) figures(which(unit != u)), theta))
  }
  pseudovalues <- if (jackknife) normalised_pseudovalues(theta, less)
  y <- if (method == "dbm") pseudovalues
  square <- if (jackknife) {
    jackknife_covariance(rating, theta, less, unit)
  } else {
    case_covariance(rating, truth, figure, parameters, covariance, theta, cluster)
  }
  t <- n_modalities
  study <- list(
    t = t, r = length(theta) / t, n = length(unique(unit)), method = method,
    readers = readers, cases = cases, rule = rule,
    pairs = pairs_of_positions(t, control)
  )
  made <- if (anyNA(theta)) {
    uncrossed_analysis(study, theta, square, descriptive_level)
  } else {
    crossed_analysis(study, theta, square, y, pooled, descriptive_level)
  }
  scopes <- tested_scopes(study, theta, square, y, pooled, descriptive_level)
  random <- readers == "random" && cases == "random"
  both <- if (pair_tests == "largest") {
    # Of these readers or cases alone, pair_level is that of the pairs as published.
    own_level <- if (random) pair_level else NaN
    largest_of_three(scopes, function(p) adjust_tested(p, adjust), alpha, own_level)
  }
  if (pair_tests == "largest" && random) {
    made[names(both$pairs)] <- both$pairs
    made <- c(made, both$each)
  }
  tests <- if (pair_tests == "largest" && random) both$tests else list(made)
  if (!(pair_tests == "largest" && random) && !is.nan(pair_level)) {
    pair_limits <- limited(made$estimate, made$std_error, made$df, pair_level)
    made$conf_low <- pair_limits[, 1]
    made$conf_high <- pair_limits[, 2]
  }
  made$p_adjusted <- adjust_tested(made$p_value, adjust)
  if (!is.null(margin)) {
    made$margin_error <- unlist(lapply(tests, function(one) one$std_error))
    made$margin_df <- unlist(lapply(tests, function(one) one$df))
  }
  made <- c(
    made, margin_claims(tests, margin, adjust, higher, control),
    single_readers(study, theta, square, pooled, descriptive_level, limits),
    other_scopes(study, theta, scopes, adjust, both)
  )
  area_limits <- limited(
    made$area, made$area_std_error, made$area_df, descriptive_level, limits
  )
  made$area_conf_low <- area_limits[, 1]
  made$area_conf_high <- area_limits[, 2]
  if (!anyNA(theta)) {
    made <- c(
      made, sums_of_squares(study, theta, y),
      if (study$method == "or") {
        list(component_correlation = c(NaN, NaN, NaN, made$component[4:6]) /
          made$component[3])
      },
      if (!is.null(pseudovalues) && !anyNA(rating) && study$r > 1) {
        reader_component_limits(
          study, pseudovalues, descriptive_level, made$component
        )
      }
    )
  }
  made$component_floored <- pmax(made$component, 0)
  made$covariance <- as.vector(t(square))
  Filter(length, made)
}

# Limits of estimates, cut at those of the figure; NaN without a standard error.
limited <- function(estimate, se, df, level, limits = c(NA, NA)) {
  half <- ifelse(se > 0, qt((1 - level) / 2, df, lower.tail = FALSE) * se, NaN)
  cut_at <- function(x, end, f) if (is.na(end)) x else f(x, end)
  cbind(
    cut_at(estimate - half, limits[1], pmax), cut_at(estimate + half, limits[2], pmin)
  )
}

# Estimate over standard error with its two-sided p-value; NaN without one.
tested <- function(estimate, se, df) {
  t <- ifelse(se > 0, estimate / se, NaN)
  list(statistic = t, p_value = 2 * pt(-abs(t), df))
}

# Figures of each reader with their errors over cases, and differences of modalities.
single_readers <- function(study, theta, square, pooled, level, limits) {
  t <- study$t
  r <- study$r
  figures <- matrix(theta, r, t)
  # Reader after reader, all modalities of each.
  estimate <- as.vector(t(figures))
  se <- sqrt(as.vector(t(matrix(diag(square), r, t))))
  there <- !is.na(estimate)
  ends <- limited(estimate[there], se[there], Inf, level, limits)
  pairs <- study$pairs
  finite <- if (study$method == "dbm") study$n - 1 else Inf
  df <- if (pooled) (t - 1) * finite else finite
  by_reader <- lapply(seq_len(r), function(j) {
    own <- square[(seq_len(t) - 1) * r + j, (seq_len(t) - 1) * r + j, drop = FALSE]
    variance <- if (pooled) {
      rep(2 * (mean(diag(own)) - mean(own[row(own) != col(own)])), nrow(pairs))
    } else {
      diag(own)[pairs[, 1]] + diag(own)[pairs[, 2]] - 2 * own[pairs]
    }
    cbind(figures[j, pairs[, 1]] - figures[j, pairs[, 2]], variance)
  })
  found <- do.call(rbind, by_reader)
  found <- found[!is.na(found[, 1]), , drop = FALSE]
  # What rounding can explain is 0.
  none <- 64 * .Machine$double.eps * max(abs(square), na.rm = TRUE)
  variance <- ifelse(abs(found[, 2]) <= none, 0, found[, 2])
  error <- sqrt(variance)
  test <- tested(found[, 1], error, df)
  range <- limited(found[, 1], error, df, level)
  list(
    by_reader_estimate = estimate[there], by_reader_std_error = se[there],
    by_reader_df = rep(Inf, sum(there)),
    by_reader_conf_low = ends[, 1], by_reader_conf_high = ends[, 2],
    reader_pairs_estimate = found[, 1], reader_pairs_std_error = error,
    reader_pairs_df = rep(df, length(error)),
    reader_pairs_statistic = test$statistic, reader_pairs_p_value = test$p_value,
    reader_pairs_conf_low = range[, 1], reader_pairs_conf_high = range[, 2]
  )
}

# Tests of pairs, and of all modalities, under each scope of conclusions.
tested_scopes <- function(study, theta, square, y, pooled, level) {
  crossed <- !anyNA(theta)
  scopes <- list(c("random", "random"), c("fixed", "random"), c("random", "fixed"))
  fewest <- min(rowSums(!is.na(matrix(theta, study$t, study$r, byrow = TRUE))))
  if (fewest < 2) {
    scopes <- scopes[2]
  }
  lapply(scopes, function(scope) {
    other <- study
    other$readers <- scope[1]
    other$cases <- scope[2]
    if (crossed) {
      all_modalities <- compare_modalities(other, theta, square, y)
      pairs <- apply(study$pairs, 1, function(pair) {
        compare_pair(
          other, pair, theta, square, y, if (pooled) all_modalities, level
        )
      })
    } else {
      all_modalities <- NULL
      pairs <- uncrossed_analysis(other, theta, square, level)
      pairs <- do.call(rbind, pairs[seq_len(7)])
    }
    list(
      pairs = pairs, statistic = all_modalities$statistic,
      df1 = all_modalities$df[1], df2 = c(all_modalities$df, Inf)[2],
      p_value = all_modalities$p_value
    )
  })
}

# The largest of three p-values of each pair: new readers and new cases (Hillis), these
# readers, these cases. Intervals are hulls at the level of the last step; own derivation.
largest_of_three <- function(scopes, adjusted, alpha, pair_level) {
  estimate <- unname(scopes[[1]]$pairs["estimate", ])
  tests <- lapply(scopes[c(2, 3, 1)], function(one) {
    se <- unname(one$pairs["std_error", ])
    list(
      estimate = estimate, std_error = ifelse(is.na(se) | se <= 0, 0, se),
      df = unname(one$pairs["df", ])
    )
  })
  each <- vapply(tests, function(one) {
    p <- ifelse(one$std_error > 0, 2 * pt(-abs(estimate / one$std_error), one$df), 0)
    ifelse(estimate == 0, 1, p)
  }, estimate)
  each <- matrix(each, length(estimate))
  found <- largest_test(tests, each)
  p_adjusted <- adjusted(found$p_value)
  last <- if (is.nan(pair_level)) last_step(found$p_value, p_adjusted, alpha)
  last <- if (is.null(last)) 1 - pair_level else last
  excludes_0 <- if (is.nan(pair_level)) p_adjusted <= alpha else found$p_value <= last
  half <- half_of_hull(tests, last)
  limits <- vapply(seq_along(half), function(i) {
    if (is.nan(half[i])) {
      return(c(NaN, NaN))
    }
    agreeing_with_0(estimate[i] + c(-1, 1) * half[i], estimate[i], excludes_0[i])
  }, c(0, 0))
  names(tests) <- c("new_cases", "new_readers", "new_both")
  columns <- list()
  for (i in seq_along(tests)) {
    name <- names(tests)[i]
    columns[[paste0("p_", name)]] <- found$each[, i]
    columns[[paste0("error_", name)]] <- tests[[i]]$std_error
    columns[[paste0("df_", name)]] <- tests[[i]]$df
  }
  list(tests = unname(tests), each = columns, pairs = list(
    estimate = estimate, std_error = found$std_error,
    statistic = ifelse(found$std_error > 0, estimate / found$std_error, NaN),
    df = found$df, p_value = found$p_value, conf_low = limits[1, ],
    conf_high = limits[2, ]
  ), p_adjusted = p_adjusted)
}

# each: p-values, pairs x tests. Of equal p-values that with the largest error.
largest_test <- function(tests, each) {
  of <- function(name) {
    matrix(vapply(tests, function(one) one[[name]] + 0, tests[[1]]$df), nrow(each))
  }
  se <- of("std_error")
  df <- of("df")
  each[!apply(se > 0 & !is.na(se), 1, any), ] <- NaN
  at <- vapply(seq_len(nrow(each)), function(i) {
    order(each[i, ], se[i, ])[ncol(each)]
  }, 1L)
  at <- cbind(seq_len(nrow(each)), at)
  list(std_error = se[at], df = df[at], p_value = each[at], each = each)
}

half_of_hull <- function(tests, last) {
  half <- do.call(pmax, lapply(tests, function(one) {
    ifelse(
      one$std_error > 0, qt(last / 2, one$df, lower.tail = FALSE) * one$std_error, 0
    )
  }))
  ifelse(half > 0, half, NaN)
}

# both: the tests for new readers and new cases, if they are the largest of three.
other_scopes <- function(study, theta, scopes, adjust, both = NULL) {
  crossed <- !anyNA(theta)
  made <- lapply(seq_along(scopes), function(i) {
    one <- scopes[[i]]
    if (i == 1 && !is.null(both)) {
      one$pairs <- do.call(rbind, both$pairs)
    }
    one$adjusted <- adjust_tested(one$pairs["p_value", ], adjust)
    one
  })
  of <- function(name) unlist(lapply(made, function(one) one$pairs[name, ]))
  each <- function(name) unlist(lapply(made, function(one) one[[name]]))
  df <- unname(of("df"))
  figures <- if (crossed && study$r > 1) figure_tests(study, theta)
  list(
    scopes_estimate = unname(of("estimate")), scopes_std_error = unname(of("std_error")),
    scopes_statistic = unname(of("statistic")), scopes_df = df,
    scopes_p_value = unname(of("p_value")), scopes_p_adjusted = each("adjusted"),
    scopes_conf_low = unname(of("conf_low")), scopes_conf_high = unname(of("conf_high")),
    analyses_df1 = c(each("df1"), figures$df1),
    analyses_df2 = c(each("df2"), figures$df2),
    analyses_statistic = c(each("statistic"), figures$statistic),
    analyses_p_value = c(each("p_value"), figures$p_value)
  )
}

# Analyses of variance of the figures: readers as blocks, then as replicates.
figure_tests <- function(study, theta) {
  cell <- expand.grid(
    reader = factor(seq_len(study$r)), modality = factor(seq_len(study$t))
  )
  two <- anova(lm(theta ~ reader + modality, cell))["modality", ]
  one <- anova(lm(theta ~ modality, cell))["modality", ]
  error <- c((study$t - 1) * (study$r - 1), study$t * (study$r - 1))
  list(
    df1 = rep(study$t - 1, 2), df2 = error,
    statistic = c(two[["F value"]], one[["F value"]]),
    p_value = c(two[["Pr(>F)"]], one[["Pr(>F)"]])
  )
}

# Sums of squares of figures, or of pseudovalues by margins: T modality, R reader, C case.
sums_of_squares <- function(study, theta, y) {
  if (study$r < 2) {
    return(list())
  }
  if (is.null(y)) {
    cell <- expand.grid(
      reader = factor(seq_len(study$r)), modality = factor(seq_len(study$t))
    )
    table <- summary(aov(theta ~ modality * reader, cell))[[1]]
    return(list(
      anova_df = table[["Df"]], anova_sum_sq = table[["Sum Sq"]],
      anova_mean_sq = table[["Mean Sq"]]
    ))
  }
  found <- three_way_squares(study, y)
  list(
    anova_df = unname(found$df), anova_sum_sq = found$squares,
    anova_mean_sq = found$squares / found$df
  )
}

# y: cases x cells. Effects are taken out one after another, the lower ones first.
three_way_squares <- function(study, y) {
  size <- c(T = study$t, R = study$r, C = nrow(y))
  at <- list(
    C = rep(seq_len(size["C"]), ncol(y)),
    R = rep(rep(seq_len(size["R"]), each = nrow(y)), size["T"]),
    T = rep(seq_len(size["T"]), each = nrow(y) * size["R"])
  )
  terms <- list("T", "R", "C", c("T", "R"), c("T", "C"), c("R", "C"), c("T", "R", "C"))
  rest <- as.vector(y) - mean(y)
  squares <- df <- numeric(length(terms))
  for (i in seq_along(terms)) {
    effect <- if (i < 7) do.call(ave, c(list(rest), at[terms[[i]]])) else rest
    squares[i] <- sum(effect^2)
    df[i] <- prod(size[terms[[i]]] - 1)
    rest <- rest - effect
  }
  list(squares = squares, df = df)
}

# Limits of the components of readers, then of modality x reader.
# The others of so many components have none.
reader_component_limits <- function(study, y, level, component) {
  found <- three_way_squares(study, y)
  rows <- c(2, 4, 6, 7)
  squares <- (found$squares / found$df)[rows]
  df <- found$df[rows]
  n <- nrow(y)
  ends <- rbind(
    mls_limits(c(1, -1, -1, 1) / (study$t * n), squares, df, level),
    mls_limits(c(0, 1, 0, -1) / n, squares, df, level)
  )
  at <- if (study$method == "or") 1:2 else c(1, 3)
  of <- function(end) replace(component * NaN, at, ends[, end])
  list(components_conf_low = of(1), components_conf_high = of(2))
}

# Tests of pairs against a margin, one or the largest of three for each side. Intervals
# are hulls; level: theirs, NaN for what follows from the decisions here. Needs
# matched_shares.R.
mrmc_margin_reference <- function(..., margin, kind, higher = TRUE, control = NULL, alpha,
                                  adjust = "holm", level = NaN) {
  made <- mrmc_reference(
    ..., margin = margin, higher = higher, control = control, alpha = alpha,
    adjust = adjust
  )
  estimate <- unname(made$estimate)
  m <- length(estimate)
  error <- matrix(made$margin_error, m)
  error[is.na(error) | error <= 0] <- 0
  df <- matrix(made$margin_df, m)
  ends <- c(-margin, margin)
  if (kind == "non-inferiority") ends[if (higher) 2 else 1] <- if (higher) Inf else -Inf
  side <- function(end, sign) {
    each <- matrix(0, m, ncol(error))
    if (is.infinite(end)) {
      return(list(p = rep(NaN, m), std_error = rep(NaN, m), df = rep(NaN, m)))
    }
    tested <- error > 0
    ahead <- matrix(sign * (estimate - end), m, ncol(error))
    each[tested] <- pt(ahead[tested] / error[tested], df[tested], lower.tail = FALSE)
    none <- !apply(tested, 1, any)
    # Of equal p-values that with the largest error.
    at <- vapply(seq_len(m), function(i) order(each[i, ], error[i, ])[ncol(each)], 1L)
    p <- each[cbind(seq_len(m), at)]
    p[none] <- NaN
    list(
      p = p, std_error = error[cbind(seq_len(m), at)], df = df[cbind(seq_len(m), at)]
    )
  }
  lower <- side(ends[1], 1)
  upper <- side(ends[2], -1)
  p <- pmax(lower$p, upper$p, na.rm = TRUE)
  first <- is.nan(upper$p) | (!is.nan(lower$p) & lower$p >= upper$p)
  p_adjusted <- adjust_tested(p, adjust)
  last <- margin_step(p, p_adjusted, alpha, level, ends[1], ends[2])
  half <- qt(last, df, lower.tail = FALSE) * error
  half <- apply(ifelse(error > 0, half, 0), 1, max)
  half[half == 0] <- NaN
  limit <- function(i, found, end, p, sign) {
    if (is.finite(end) && is.nan(p[i])) {
      return(NaN)
    }
    agreeing_limit(found[i], end, p[i] <= last, sign)
  }
  std_error <- ifelse(first, lower$std_error, upper$std_error)
  away <- estimate - ifelse(first, ends[1], ends[2])
  list(
    estimate = estimate, std_error = std_error,
    statistic = ifelse(std_error > 0, away / std_error, NaN),
    df = ifelse(first, lower$df, upper$df), p_lower = lower$p, p_upper = upper$p,
    p_value = p, p_adjusted = p_adjusted,
    conf_low = vapply(seq_len(m), limit, 0, estimate - half, ends[1], lower$p, 1),
    conf_high = vapply(seq_len(m), limit, 0, estimate + half, ends[2], upper$p, -1)
  )
}

# Components of variance by the jackknife, with the modified large-sample limits of Ting
# et al. (1990) for those of readers.
components_reference <- function(rating, truth, cluster, n_modalities, figure,
                                 parameters, method, level) {
  made <- mrmc_reference(
    rating, truth, cluster, n_modalities, figure, parameters, method, "jackknife",
    "random", "random", "hillis", FALSE
  )
  unit <- if (is.null(cluster)) seq_along(truth) else cluster
  figures <- function(kept) {
    apply(rating[kept, , drop = FALSE], 2, function(x) {
      figure_of_merit(truth[kept], x, figure, parameters)
    })
  }
  theta <- figures(seq_along(truth))
  less <- t(vapply(unique(unit), function(u) figures(which(unit != u)), theta))
  y <- normalised_pseudovalues(theta, less)
  t <- n_modalities
  r <- length(theta) / t
  n <- nrow(y)
  cell <- expand.grid(reader = factor(seq_len(r)), modality = factor(seq_len(t)))
  frame <- data.frame(
    y = as.vector(y), case = factor(rep(seq_len(n), ncol(y))),
    cell[rep(seq_len(ncol(y)), each = n), ]
  )
  table <- anova(lm(y ~ modality * reader + case + case:modality + case:reader, frame))
  rows <- c("reader", "modality:reader", "reader:case", "Residuals")
  squares <- table[rows, "Mean Sq"]
  df <- table[rows, "Df"]
  limits <- rbind(
    mls_limits(c(1, -1, -1, 1) / (t * n), squares, df, level),
    mls_limits(c(0, 1, 0, -1) / n, squares, df, level)
  )
  list(component = made$component, conf_low = limits[, 1], conf_high = limits[, 2])
}

# Limits of a linear combination of mean squares, as Burdick and Graybill (1992) print
# them in section 3.3: q are the terms that are added, r those that are subtracted.
mls_limits <- function(coefficients, squares, df, level) {
  a <- (1 - level) / 2
  q <- which(coefficients > 0)
  r <- which(coefficients < 0)
  x <- abs(coefficients) * squares
  g <- 1 - 1 / qf(1 - a, df, Inf)
  h <- 1 / qf(a, df, Inf) - 1
  pooled <- function(set) {
    sum(vapply(set, function(i) {
      sum(vapply(set[set > i], function(j) {
        n <- df[i] + df[j]
        star <- ((1 - 1 / qf(1 - a, n, Inf))^2 * n^2 / (df[i] * df[j]) -
          g[i]^2 * df[i] / df[j] - g[j]^2 * df[j] / df[i]) / (length(set) - 1)
        star * x[i] * x[j]
      }, 0))
    }, 0))
  }
  crossed <- function(tail, lower) {
    sum(vapply(q, function(i) {
      sum(vapply(r, function(j) {
        f <- qf(tail, df[i], df[j])
        k <- if (lower) {
          ((f - 1)^2 - g[i]^2 * f^2 - h[j]^2) / f
        } else {
          ((1 - f)^2 - h[i]^2 * f^2 - g[j]^2) / f
        }
        k * x[i] * x[j]
      }, 0))
    }, 0))
  }
  down <- sum(g[q]^2 * x[q]^2) + sum(h[r]^2 * x[r]^2) + crossed(1 - a, TRUE) + pooled(q)
  up <- sum(h[q]^2 * x[q]^2) + sum(g[r]^2 * x[r]^2) + crossed(a, FALSE) + pooled(r)
  sum(coefficients * squares) + c(-1, 1) * sqrt(pmax(c(down, up), 0))
}

# The mean figure of one modality over its readers.
single_modality_reference <- function(rating, truth, cluster, figure, parameters,
                                      covariance, readers, cases, level, null = NULL,
                                      limits = c(NA, NA)) {
  figures <- function(kept) {
    apply(rating[kept, , drop = FALSE], 2, function(x) {
      read <- !is.na(x)
      figure_of_merit(truth[kept][read], x[read], figure, parameters)
    })
  }
  theta <- figures(seq_along(truth))
  unit <- if (is.null(cluster)) seq_along(truth) else cluster
  square <- if (covariance == "jackknife") {
    less <- vapply(unique(unit), function(u) figures(which(unit != u)), theta)
    jackknife_covariance(rating, theta, matrix(less, ncol = length(theta),
      byrow = TRUE), unit)
  } else {
    case_covariance(rating, truth, figure, parameters, covariance, theta, cluster)
  }
  r <- length(theta)
  between <- if (r > 1) var(theta) / r else NaN
  shared <- if (r > 1) mean(square[row(square) != col(square)]) else NaN
  if (readers == "fixed") {
    variance <- sum(square) / r^2
    df <- Inf
  } else if (cases == "fixed") {
    variance <- between
    df <- r - 1
  } else {
    variance <- between + max(shared, 0)
    df <- (r - 1) * (variance / between)^2
  }
  std_error <- sqrt(variance)
  half <- qt((1 + level) / 2, df) * std_error
  own <- sqrt(diag(square))
  each <- limited(theta, own, Inf, level, limits)
  v <- mean(diag(square))
  component <- c(if (r > 1) var(theta) - v + shared, v, if (r > 1) shared)
  made <- list(
    estimate = mean(theta), std_error = std_error, df = df,
    by_reader_estimate = theta, by_reader_std_error = own,
    by_reader_df = rep(Inf, r), by_reader_conf_low = each[, 1],
    by_reader_conf_high = each[, 2], component = component,
    component_floored = pmax(component, 0),
    conf_low = max(mean(theta) - half, limits[1], na.rm = TRUE),
    conf_high = min(mean(theta) + half, limits[2], na.rm = TRUE)
  )
  if (!is.null(null)) {
    made$statistic <- (mean(theta) - null) / std_error
    made$p_value <- 2 * pt(-abs(made$statistic), df)
  }
  made
}

# A standalone reader against the mean of others, for each row of cells.
# alone: its cell of each row; others, row: cells of the others, and their row.
standalone_reference <- function(rating, truth, cluster, figure, parameters, covariance,
                                 readers, cases, alone, others, row, adjust,
                                 level = 0.95) {
  unit <- if (is.null(cluster)) seq_along(truth) else cluster
  each <- lapply(seq_along(alone), function(i) {
    own <- rating[, c(alone[i], others[row == i]), drop = FALSE]
    figures <- function(kept) {
      apply(own[kept, , drop = FALSE], 2, function(x) {
        read <- !is.na(x)
        figure_of_merit(truth[kept][read], x[read], figure, parameters)
      })
    }
    theta <- figures(seq_along(truth))
    square <- if (covariance == "jackknife") {
      less <- t(vapply(unique(unit), function(u) figures(which(unit != u)), theta))
      jackknife_covariance(own, theta, less, unit)
    } else {
      case_covariance(own, truth, figure, parameters, covariance, theta, cluster)
    }
    d <- theta[1] - theta[-1]
    r <- length(d)
    # Covariance of theta[1] - theta[i] and theta[1] - theta[j], term by term.
    of <- function(i, j) square[1, 1] - square[1, j] - square[i, 1] + square[i, j]
    shared <- outer(seq_len(r) + 1, seq_len(r) + 1, Vectorize(of))
    if (readers == "fixed") {
      variance <- sum(shared) / r^2
      df <- Inf
    } else {
      variance <- var(d) / r
      df <- r - 1
      if (cases == "random") {
        whole <- variance + max(mean(shared[row(shared) != col(shared)]), 0)
        df <- df * (whole / variance)^2
        variance <- whole
      }
    }
    t <- mean(d) / sqrt(variance)
    half <- qt((1 + level) / 2, df) * sqrt(variance)
    list(
      numbers = c(
        standalone = theta[[1]], readers = mean(theta[-1]), estimate = mean(d),
        std_error = sqrt(variance), df = df, statistic = t,
        p_value = 2 * pt(-abs(t), df), conf_low = mean(d) - half,
        conf_high = mean(d) + half
      ),
      difference = unname(d), figure = unname(theta[-1])
    )
  })
  found <- as.data.frame(do.call(rbind, lapply(each, `[[`, "numbers")))
  c(as.list(found), list(
    p_adjusted = adjust_tested(found$p_value, adjust),
    difference = unlist(lapply(each, `[[`, "difference")),
    reader_figure = unlist(lapply(each, `[[`, "figure"))
  ))
}

# One-sided tests of pairs: better, not worse by the margin (both ways round, unless there
# is a control), and both.
# tests: one test of each pair, or three, of which the largest p-value counts.
margin_claims <- function(tests, margin, adjust, higher, control = NULL) {
  if (is.null(margin)) {
    return(list())
  }
  estimate <- tests[[1]]$estimate
  m <- length(estimate)
  ahead <- c(estimate, -estimate) * if (higher) 1 else -1
  both_ways <- lapply(tests, function(one) {
    list(std_error = rep(one$std_error, 2), df = rep(one$df, 2))
  })
  above <- function(bound) {
    each <- vapply(both_ways, function(one) {
      p <- pt((ahead - bound) / one$std_error, one$df, lower.tail = FALSE)
      ifelse(one$std_error > 0 & !is.na(one$std_error), p, 0)
    }, ahead)
    found <- largest_test(both_ways, matrix(each, length(ahead)))
    found$statistic <- ifelse(found$std_error > 0, (ahead - bound) / found$std_error, NaN)
    found
  }
  tests_of_0 <- above(0)
  tests_of_margin <- above(-margin)
  superior <- tests_of_0$p_value
  not_worse <- tests_of_margin$p_value
  one <- seq_len(m)
  equivalent <- pmax(not_worse[one], not_worse[m + one])
  kept <- if (is.null(control)) seq_len(2 * m) else one
  larger <- ifelse(not_worse[one] >= not_worse[m + one], one, m + one)
  at_margin <- tests_of_margin$statistic
  t <- c(tests_of_0$statistic[kept], at_margin[kept], at_margin[larger])
  df <- c(tests_of_0$df[kept], tests_of_margin$df[c(kept, larger)])
  families <- list(superior[kept], not_worse[kept], equivalent)
  list(
    claim_statistic = t, claim_df = df, claim_p_value = unlist(families),
    claim_std_error = tests_of_margin$std_error[c(kept, kept, larger)],
    claim_p_adjusted = unlist(lapply(families, adjust_tested, adjust))
  )
}

crossed_analysis <- function(study, theta, square, y, pooled, level) {
  compared <- compare_modalities(study, theta, square, y)
  by_pair <- apply(study$pairs, 1, function(pair) {
    compare_pair(study, pair, theta, square, y, if (pooled) compared, level)
  })
  each <- vapply(seq_len(study$t), function(i) {
    one_modality(study, i, theta, square, y)
  }, numeric(3))
  c(
    as.list(as.data.frame(t(by_pair))),
    list(
      omnibus_statistic = compared$statistic, omnibus_df = compared$df,
      omnibus_p_value = compared$p_value, area = each[1, ],
      area_std_error = each[2, ], area_df = each[3, ], component = compared$components
    )
  )
}

figure_of_merit <- function(truth, x, figure, parameters) {
  switch(figure,
    auc = mean(outer(x[truth == 1], x[truth == 0], function(a, b) {
      (a > b) + (a == b) / 2
    })),
    partial_auc = as.numeric(pROC::auc(
      roc_of(truth, x),
      partial.auc = 1 - rev(parameters), partial.auc.focus = "specificity"
    )),
    sensitivity = mean(x[truth == 1] >= parameters),
    specificity = mean(x[truth == 0] < parameters),
    mean = mean(x),
    # truth: of a lesion its weight, 0 of a normal case.
    afroc = ,
    wafroc = weighted.mean(vapply(x[truth > 0], function(lesion) {
      mean((lesion > x[truth == 0]) + (lesion == x[truth == 0]) / 2)
    }, 0), truth[truth > 0])
  )
}

# less: figures without each case or cluster. Shifted so that their mean is the figure.
normalised_pseudovalues <- function(theta, less) {
  n <- nrow(less)
  y <- n * matrix(theta, n, length(theta), byrow = TRUE) - (n - 1) * less
  sweep(y, 2, theta - colMeans(y), "+")
}

# A cell is the jackknife's over the units that it rated.
jackknife_covariance <- function(rating, theta, less, unit) {
  units <- unique(unit)
  deviation <- vapply(seq_along(theta), function(i) {
    rated <- units %in% unit[!is.na(rating[, i])]
    n <- sum(rated)
    d <- less[, i] - mean(less[rated, i])
    ifelse(rated, d * sqrt((n - 1) / n), 0)
  }, numeric(length(units)))
  square <- crossprod(deviation)
  square[is.na(theta), ] <- NaN
  square[, is.na(theta)] <- NaN
  square
}

case_covariance <- function(rating, truth, figure, parameters, covariance, theta,
                            cluster = NULL) {
  cells <- seq_len(ncol(rating))
  if (figure != "auc") {
    kept <- switch(figure,
      sensitivity = truth == 1, specificity = truth == 0, mean = rep(TRUE, length(truth))
    )
    value <- rating[kept, , drop = FALSE]
    if (figure == "sensitivity") value <- (value >= parameters) * 1
    if (figure == "specificity") value <- (value < parameters) * 1
    if (!is.null(cluster)) {
      return(covariance_of_means(value, cluster[kept]))
    }
    return(cov(value) / nrow(value))
  }
  if (covariance == "delong" && !is.null(cluster)) {
    wins <- lapply(cells, function(i) wins_of(truth, rating[, i]))
    return(cluster_covariance(wins, truth, cluster))
  }
  if (covariance == "delong") {
    curves <- lapply(cells, function(i) roc_of(truth, rating[, i]))
    return(outer(cells, cells, Vectorize(function(i, j) {
      as.numeric(pROC::cov(curves[[i]], curves[[j]], method = "delong"))
    })))
  }
  wins <- lapply(cells, function(i) {
    outer(rating[truth == 1, i], rating[truth == 0, i], function(a, b) {
      (a > b) + (a == b) / 2
    }) - theta[i]
  })
  # Scores less their means: what is left of the products of pairs without common case.
  outer(cells, cells, Vectorize(function(i, j) {
    a <- wins[[i]]
    b <- wins[[j]]
    apart <- sum(a) * sum(b) - sum(rowSums(a) * rowSums(b)) -
      sum(colSums(a) * colSums(b)) + sum(a * b)
    -apart / (length(a) * (nrow(a) - 1) * (ncol(a) - 1))
  }))
}

# Covariances of column means of cases in clusters.
covariance_of_means <- function(value, cluster) {
  n <- length(unique(cluster))
  totals <- rowsum(sweep(value, 2, colMeans(value)), cluster) / nrow(value)
  n / (n - 1) * crossprod(totals)
}

# Mean squares in squared units of the figure: T, R, TR, and TC, TRC over n.
mean_squares <- function(study, theta, square, y) {
  t <- study$t
  r <- study$r
  cell <- expand.grid(reader = factor(seq_len(r)), modality = factor(seq_len(t)))
  if (study$method == "dbm") {
    return(pseudovalue_squares(study, cell, y))
  }
  table <- if (r > 1) {
    summary(aov(theta ~ modality * reader, cell))[[1]]
  } else {
    data.frame(check.names = FALSE, "Mean Sq" = c(var(theta), NaN, NaN))
  }
  ms <- table[["Mean Sq"]]
  same_reader <- outer(cell$reader, cell$reader, "==")
  same_modality <- outer(cell$modality, cell$modality, "==")
  v <- mean(diag(square))
  cov1 <- mean(square[same_reader & !same_modality])
  cov2 <- mean(square[!same_reader & same_modality])
  cov3 <- mean(square[!same_reader & !same_modality])
  if (r == 1) {
    cov2 <- cov3 <- 0
  }
  tr <- if (r > 1) ms[3] else NaN
  undefined <- if (r > 1) 0 else NaN
  list(
    T = ms[1], TR = tr, TC = v - cov1 + (r - 1) * (cov2 - cov3),
    TRC = v - cov1 - (cov2 - cov3),
    components = c(
      (ms[2] - ms[3]) / t - cov1 + cov3, tr - v + cov1 + cov2 - cov3, v, cov1,
      cov2 + undefined, cov3 + undefined
    )
  )
}

pseudovalue_squares <- function(study, cell, y) {
  t <- study$t
  r <- study$r
  n <- study$n
  frame <- data.frame(
    y = as.vector(y), case = factor(rep(seq_len(n), ncol(y))),
    cell[rep(seq_len(ncol(y)), each = n), ]
  )
  if (r == 1) {
    table <- summary(aov(y ~ modality + case, frame))[[1]][["Mean Sq"]]
    return(list(
      T = table[1] / n, TR = NaN, TC = table[3] / n, TRC = NaN,
      components = c(NaN, NaN, NaN, NaN, NaN, NaN)
    ))
  }
  strata <- summary(aov(
    y ~ modality + Error(reader * case + reader:modality + case:modality), frame
  ))
  rest <- function(name) {
    table <- strata[[paste("Error:", name)]][[1]]
    table[nrow(table), "Mean Sq"]
  }
  ms <- list(
    R = rest("reader"), C = rest("case"), RC = rest("reader:case"),
    TR = rest("reader:modality"), TC = rest("case:modality"), TRC = rest("Within")
  )
  modality <- strata[["Error: reader:modality"]][[1]][1, "Mean Sq"]
  list(
    T = modality / n, TR = ms$TR / n, TC = ms$TC / n, TRC = ms$TRC / n,
    components = c(
      (ms$R - ms$TR - ms$RC + ms$TRC) / (t * n),
      (ms$C - ms$TC - ms$RC + ms$TRC) / (t * r),
      (ms$TR - ms$TRC) / n, (ms$TC - ms$TRC) / r, (ms$RC - ms$TRC) / t, ms$TRC
    )
  )
}

# The error term and its degrees of freedom; between: those of what is compared.
mrmc_error <- function(study, ms, between) {
  df <- between * c(
    TR = study$r - 1, TC = study$n - 1, TRC = (study$r - 1) * (study$n - 1)
  )
  if (study$cases == "fixed") {
    return(list(square = ms$TR, df = df[["TR"]]))
  }
  if (study$readers == "fixed") {
    return(list(square = ms$TC, df = if (study$method == "dbm") df[["TC"]] else Inf))
  }
  if (study$rule == "hillis") {
    square <- ms$TR + max(ms$TC - ms$TRC, 0)
    return(list(square = square, df = square^2 / (ms$TR^2 / df[["TR"]])))
  }
  if (ms$TR > ms$TRC && ms$TC > ms$TRC) {
    square <- ms$TR + ms$TC - ms$TRC
    parts <- ms$TR^2 / df[["TR"]] + ms$TC^2 / df[["TC"]] + ms$TRC^2 / df[["TRC"]]
    return(list(square = square, df = square^2 / parts))
  }
  term <- if (ms$TR > ms$TRC) "TR" else if (ms$TC > ms$TRC) "TC" else "TRC"
  list(square = ms[[term]], df = df[[term]])
}

compare_modalities <- function(study, theta, square, y) {
  ms <- mean_squares(study, theta, square, y)
  df1 <- study$t - 1
  error <- mrmc_error(study, ms, df1)
  f <- ms$T / error$square
  test <- if (is.infinite(error$df)) {
    tail <- pchisq(df1 * f, df1, lower.tail = FALSE)
    list(statistic = df1 * f, df = df1, p_value = tail)
  } else {
    list(
      statistic = f, df = c(df1, error$df),
      p_value = pf(f, df1, error$df, lower.tail = FALSE)
    )
  }
  c(test, list(error = error, components = ms$components))
}

cells_of <- function(study, modalities) {
  as.vector(outer(seq_len(study$r), (modalities - 1) * study$r, "+"))
}

# pooled: the comparison of all modalities, or NULL for the pair's own error.
compare_pair <- function(study, pair, theta, square, y, pooled, level) {
  at <- cells_of(study, pair)
  own <- study
  own$t <- 2
  error <- if (is.null(pooled)) {
    ms <- mean_squares(own, theta[at], square[at, at], y[, at])
    mrmc_error(own, ms, 1)
  } else {
    pooled$error
  }
  d <- mean(theta[cells_of(study, pair[1])]) - mean(theta[cells_of(study, pair[2])])
  se <- sqrt(2 * error$square / study$r)
  t <- d / se
  half <- qt((1 - level) / 2, error$df, lower.tail = FALSE) * se
  c(
    estimate = d, std_error = se, statistic = t, df = error$df,
    p_value = 2 * pt(-abs(t), error$df), conf_low = d - half, conf_high = d + half
  )
}

# Mean figure and standard error of one modality.
one_modality <- function(study, i, theta, square, y) {
  at <- cells_of(study, i)
  r <- study$r
  one <- square[at, at, drop = FALSE]
  ms_reader <- if (r > 1) var(theta[at]) else NaN
  v <- mean(diag(one))
  cov2 <- if (r > 1) mean(one[row(one) != col(one)]) else 0
  ms <- list(TR = ms_reader, TC = v + (r - 1) * cov2, TRC = v - cov2)
  error <- mrmc_error(study, ms, 1)
  c(mean(theta[at]), sqrt(error$square / r), error$df)
}

# Designs in which some reader does not read with some modality: own derivation.

# Variance of a difference of two means over readers and cases: the part between readers,
# its degrees of freedom, the part that cases give to all readers, and the variance over
# cases with these readers. a, b: figures by reader, NA if there is none.
uncrossed_pair <- function(a, b, square) {
  r <- length(a)
  cells <- list(which(!is.na(a)), which(!is.na(b)))
  dev <- list(a - mean(a, na.rm = TRUE), b - mean(b, na.rm = TRUE))
  sums <- function(i, k) {
    n <- length(cells[[i]])
    m <- length(cells[[k]])
    met <- intersect(cells[[i]], cells[[k]])
    block <- square[(i - 1) * r + cells[[i]], (k - 1) * r + cells[[k]], drop = FALSE]
    same <- outer(cells[[i]], cells[[k]], "==")
    unit <- length(met) * (1 - 1 / n - 1 / m + length(met) / (n * m))
    within <- if (length(met)) sum(dev[[i]][met] * dev[[k]][met]) / unit else 0
    list(
      within = within, between = length(met) / (n * m) * within,
      shared = sum(block[!same]) / (n * m - length(met)), cases = mean(block), unit = unit
    )
  }
  parts <- list(sums(1, 1), sums(2, 2), sums(1, 2))
  whole <- function(name) {
    parts[[1]][[name]] + parts[[2]][[name]] - 2 * parts[[3]][[name]]
  }
  list(
    between = whole("between"), df = uncrossed_df(cells, parts),
    shared = whole("shared"), cases = whole("cases"), parts = parts
  )
}

# Satterthwaite: the part between readers is a quadratic form of the cells.
uncrossed_df <- function(cells, parts) {
  n <- lengths(cells)
  same <- outer(cells[[1]], cells[[2]], "==") * 1
  centre <- lapply(n, function(k) diag(k) - 1 / k)
  first <- seq_len(n[1])
  second <- n[1] + seq_len(n[2])
  sigma <- form <- matrix(0, sum(n), sum(n))
  sigma[first, first] <- parts[[1]]$within * diag(n[1])
  sigma[second, second] <- parts[[2]]$within * diag(n[2])
  form[first, first] <- centre[[1]] / (n[1] * (n[1] - 1))
  form[second, second] <- centre[[2]] / (n[2] * (n[2] - 1))
  if (any(same > 0)) {
    sigma[first, second] <- parts[[3]]$within * same
    sigma[second, first] <- t(sigma[first, second])
    weight <- sum(same) / (n[1] * n[2]) / parts[[3]]$unit
    form[first, second] <- -weight * centre[[1]] %*% same %*% centre[[2]]
    form[second, first] <- t(form[first, second])
  }
  product <- form %*% sigma
  sum(diag(product))^2 / sum(diag(product %*% product))
}

uncrossed_error <- function(study, between, df, shared, cases) {
  if (study$readers == "fixed") {
    return(list(square = cases, df = Inf))
  }
  if (study$cases == "fixed") {
    return(list(square = between, df = df))
  }
  square <- between + max(shared, 0)
  list(square = square, df = square^2 / (between^2 / df))
}

uncrossed_analysis <- function(study, theta, square, level) {
  r <- study$r
  figures <- matrix(theta, study$t, r, byrow = TRUE)
  at <- function(i) (i - 1) * r + seq_len(r)
  by_pair <- apply(study$pairs, 1, function(pair) {
    a <- figures[pair[1], ]
    b <- figures[pair[2], ]
    cells <- c(at(pair[1]), at(pair[2]))
    p <- uncrossed_pair(a, b, square[cells, cells])
    error <- uncrossed_error(study, p$between, p$df, p$shared, p$cases)
    d <- mean(a, na.rm = TRUE) - mean(b, na.rm = TRUE)
    se <- sqrt(error$square)
    half <- qt((1 - level) / 2, error$df, lower.tail = FALSE) * se
    c(
      estimate = d, std_error = se, statistic = d / se, df = error$df,
      p_value = 2 * pt(-abs(d / se), error$df), conf_low = d - half, conf_high = d + half
    )
  })
  each <- vapply(seq_len(study$t), function(i) {
    a <- figures[i, ]
    p <- uncrossed_pair(a, a, square[c(at(i), at(i)), c(at(i), at(i))])$parts[[1]]
    df <- sum(!is.na(a)) - 1
    error <- uncrossed_error(study, p$between, df, p$shared, p$cases)
    c(mean(a, na.rm = TRUE), sqrt(error$square), error$df)
  }, numeric(3))
  c(
    as.list(as.data.frame(t(by_pair))),
    list(area = each[1, ], area_std_error = each[2, ], area_df = each[3, ])
  )
}

# One-shot components of modalities, then of their differences; all pairs of scores are
# listed.
one_shot_reference <- function(rating, truth, n_modalities) {
  r <- ncol(rating) / n_modalities
  psi <- lapply(seq_len(n_modalities), function(i) {
    scores_of(truth, rating[, (i - 1) * r + seq_len(r), drop = FALSE])
  })
  pairs <- if (n_modalities > 1) combn(n_modalities, 2, simplify = FALSE)
  differences <- lapply(pairs, function(pair) psi[[pair[1]]] - psi[[pair[2]]])
  list(component = unlist(lapply(c(psi, differences), score_components)))
}

# Readers x positive cases x negative cases.
scores_of <- function(truth, x) {
  found <- vapply(seq_len(ncol(x)), function(j) {
    outer(x[truth == 1, j], x[truth == 0, j], function(a, b) (a > b) + (a == b) / 2)
  }, matrix(0, sum(truth == 1), sum(truth == 0)))
  aperm(found, c(3, 1, 2))
}

score_components <- function(psi) {
  index <- arrayInd(seq_along(psi), dim(psi))
  product <- outer(as.vector(psi), as.vector(psi))
  same <- lapply(1:3, function(k) outer(index[, k], index[, k], "=="))
  sets <- list(1, 2, 3, 1:2, c(1, 3), 2:3, 1:3)
  mean_sharing <- function(set) {
    mean(product[Reduce(`&`, lapply(1:3, function(k) {
      if (k %in% set) same[[k]] else !same[[k]]
    }))])
  }
  covariance <- vapply(sets, mean_sharing, 0) - mean_sharing(integer())
  parts <- numeric(7)
  for (i in seq_along(sets)) {
    inside <- vapply(sets, function(s) all(s %in% sets[[i]]), NA) & seq_along(sets) < i
    parts[i] <- covariance[i] - sum(parts[inside])
  }
  parts
}
