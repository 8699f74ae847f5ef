# General linear models by formula: anova(lm()), car::Anova, summary(aov(Error())),
# summary(manova()), emmeans. Needs the packages car and emmeans if they are
# named.

# y: rows x responses; codes: rows x factors, levels as whole numbers; x: rows x
# covariates. Terms and units are written over f1, f2, ... and x1, x2, ...: safe names.
# w: weights of rows, if any.
model_data <- function(y, codes, x, w = NULL) {
  data <- data.frame(row = seq_len(nrow(y)))
  for (j in seq_along(codes[1, ])) data[[paste0("f", j)]] <- factor(codes[, j])
  for (j in seq_along(x[1, ])) data[[paste0("x", j)]] <- x[, j]
  for (j in seq_len(ncol(y))) data[[paste0("y", j)]] <- y[, j]
  data$w <- w
  data
}

fitted_lm <- function(formula, data) {
  if (is.null(data$w)) lm(formula, data) else lm(formula, data, weights = w)
}

# Rows multiplied by the roots of their weights have one variance.
of_one_variance <- function(rows, data) {
  if (is.null(data$w)) rows else sqrt(data$w) * rows
}

model_formula <- function(response, terms, units, constant) {
  right <- c(if (constant) "1" else "0", terms)
  if (nzchar(units)) right <- c(right, paste0("Error(", units, ")"))
  as.formula(paste(response, "~", paste(right, collapse = " + ")))
}

with_sum_contrasts <- function(code) {
  old <- options(contrasts = c("contr.sum", "contr.poly"))
  on.exit(options(old))
  force(code)
}

# The tests of all terms, response by response: df1, df2, sum_sq, statistic, p_value, and
# effect sizes; the residuals of each stratum.
linear_model_reference <- function(y, codes = NULL, x = NULL, terms, units = "",
                                   constant = TRUE, type = 2, by_strata = FALSE,
                                   level = 0.95, row_weights = NULL) {
  data <- model_data(y, codes, x, row_weights)
  tables <- lapply(seq_len(ncol(y)), function(j) {
    if (by_strata) {
      own <- y[, j, drop = FALSE]
      return(with_sum_contrasts(rows_by_strata(own, data, terms, units, constant, type)))
    }
    formula <- model_formula(paste0("y", j), terms, units, constant)
    with_sum_contrasts(one_model(formula, data, nzchar(units), type))
  })
  found <- do.call(rbind, tables)
  residuals <- do.call(rbind, lapply(tables, attr, "residuals"))
  found <- lapply(setNames(nm = colnames(found)), function(name) unname(found[, name]))
  c(
    found, list(mean_sq = ifelse(found$df1 > 0, found$sum_sq / found$df1, NaN)),
    effects_of_terms(found, level), if (!is.null(residuals)) list(
      residual_df = residuals[, 1], residual_sum_sq = residuals[, 2],
      residual_mean_sq = ifelse(residuals[, 1] > 0, residuals[, 2] / residuals[, 1], NaN)
    )
  )
}

# Partial eta squared with its limits, and omega squared, from F and degrees of freedom.
effects_of_terms <- function(found, level) {
  limit <- function(p) {
    mapply(function(f, df1, df2) {
      if (!is.finite(f) || !isTRUE(df2 > 0)) return(NaN)
      ncp <- noncentrality(f, c(df1, df2), p)
      ncp / (ncp + df2)
    }, found$statistic, found$df1, found$df2)
  }
  f <- found$statistic
  known <- ifelse(is.finite(f), f, NaN)
  list(
    partial_eta2 = 1 / (1 + found$df2 / (found$df1 * f)),
    conf_low = limit((1 + level) / 2), conf_high = limit((1 - level) / 2),
    omega2 = found$df1 * (known - 1) / (found$df1 * known + found$df2 + 1)
  )
}

# If cells are empty effects that sum to zero test other hypotheses than type III:
# Goodnight's (1978) estimable functions have no coefficients of terms that do not
# contain the tested one, and are orthogonal to those of terms that do. No package has
# them. columns: of each term, dummies of all levels, the constant among them; contains:
# for each term which terms contain it. A basis of each hypothesis in the space of the
# data.
goodnight_bases <- function(columns, contains) {
  x <- do.call(cbind, columns)
  place <- rep(seq_along(columns), vapply(columns, ncol, 0))
  part <- svd(x)
  kept <- part$d > 1e-9 * part$d[1]
  inverse <- part$v[, kept] %*% (t(part$u[, kept]) / part$d[kept])
  functions_without <- function(zero) {
    # Least squares residuals of the rows on some columns have no coefficients of these.
    zero <- x[, zero, drop = FALSE]
    basis <- if (ncol(zero)) spanned(zero) else matrix(0, nrow(x), 0)
    found <- x - basis %*% crossprod(basis, x)
    found[abs(found) < 1e-10 * max(abs(x))] <- 0
    found
  }
  lapply(seq_along(columns), function(term) {
    above <- which(contains[[term]])
    own <- functions_without(!(place %in% c(term, above)))
    higher <- spanned(t(functions_without(!(place %in% above))))
    spanned(t((own - own %*% higher %*% t(higher)) %*% inverse))
  })
}

spanned <- function(x) {
  part <- svd(x)
  part$u[, part$d > 1e-9 * max(part$d, 1e-9), drop = FALSE]
}

# Dummies of all levels of a term's cells, times its covariates.
dummies_of <- function(term, data) {
  parts <- strsplit(term, ":", fixed = TRUE)[[1]]
  values <- lapply(parts, function(one) eval(parse(text = one), data))
  groups <- vapply(values, is.factor, NA)
  cell <- if (any(groups)) interaction(values[groups], drop = TRUE) else gl(1, nrow(data))
  found <- outer(as.integer(cell), seq_len(nlevels(cell)), "==") + 0
  for (value in lapply(values[!groups], as.matrix)) {
    value <- value / max(abs(value))
    found <- do.call(cbind, lapply(seq_len(ncol(value)), function(j) found * value[, j]))
  }
  list(columns = found, groups = parts[groups], covariates = parts[!groups])
}

# The hypotheses of type III of a model's terms, cells being empty.
bases_with_empty_cells <- function(terms, constant, data, as_units = identity) {
  all_terms <- lapply(terms, dummies_of, data = data)
  if (constant) {
    one <- list(columns = matrix(1, nrow(data), 1), groups = NULL, covariates = NULL)
    all_terms <- c(list(one), all_terms)
  }
  contains <- lapply(all_terms, function(inner) {
    vapply(all_terms, function(outer) {
      setequal(inner$covariates, outer$covariates) &&
        all(inner$groups %in% outer$groups) && length(outer$groups) > length(inner$groups)
    }, NA)
  })
  columns <- lapply(all_terms, function(one) as_units(one$columns))
  found <- goodnight_bases(columns, contains)
  setNames(if (constant) found[-1] else found, terms)
}

hypotheses_of <- function(fit, data) {
  shape <- terms(fit)
  labels <- attr(shape, "term.labels")
  bases_with_empty_cells(labels, attr(shape, "intercept") == 1, data, function(z) {
    of_one_variance(z, data)
  })
}

one_model <- function(formula, data, strata, type) {
  if (strata) return(strata_rows(summary(aov(formula, data))))
  fit <- fitted_lm(formula, data)
  if (type == 3 && anyNA(coef(fit))) {
    return(do.call(rbind, lapply(hypotheses_of(fit, data), function(q) {
      h <- sum(crossprod(q, of_one_variance(fit$model[[1]], data))^2)
      f <- h / ncol(q) / sigma(fit)^2
      df <- df.residual(fit)
      cbind(df1 = ncol(q), df2 = df, sum_sq = h, statistic = f,
            p_value = if (ncol(q)) pf(f, ncol(q), df, lower.tail = FALSE) else NaN)
    })))
  }
  table <- if (type == 1) anova(fit) else car::Anova(fit, type = type)
  rows <- !(rownames(table) %in% c("Residuals", "(Intercept)"))
  cbind(
    df1 = table[rows, "Df"], df2 = table["Residuals", "Df"],
    sum_sq = table[rows, "Sum Sq"], statistic = table[rows, "F value"],
    p_value = table[rows, "Pr(>F)"]
  ) |> with_residuals(cbind(df.residual(fit), deviance(fit)))
}

with_residuals <- function(rows, residuals) structure(rows, residuals = residuals)

# Terms in the order of the strata; those of a stratum in the order of the formula.
strata_rows <- function(summaries) {
  parts <- lapply(summaries, function(one) {
    table <- one[[1]]
    names <- trimws(rownames(table))
    rows <- names != "Residuals"
    if (!any(rows)) return(NULL)
    column <- function(name) if (name %in% colnames(table)) table[rows, name] else NaN
    cbind(
      df1 = table[rows, "Df"], df2 = c(table[!rows, "Df"], NaN)[1],
      sum_sq = table[rows, "Sum Sq"], statistic = column("F value"),
      p_value = column("Pr(>F)")
    )
  })
  residuals <- lapply(summaries, function(one) {
    table <- one[[1]]
    own <- table[trimws(rownames(table)) == "Residuals", c("Df", "Sum Sq")]
    if (nrow(own)) as.matrix(own) else cbind(0, 0)
  })
  do.call(rbind, parts) |> with_residuals(do.call(rbind, residuals))
}

# Terms of any type in error strata, balanced or not: lm.fit() with and without each term,
# of the rows as qr() of the units turns them into the strata. In the order of the strata;
# those without degrees of freedom are in the last one.
by_strata_of <- function(y, data, terms, units, constant, type) {
  formula <- model_formula("row", terms, "", constant)
  x <- of_one_variance(model.matrix(formula, data), data)
  y <- of_one_variance(y, data)
  factors <- attr(terms(formula), "factors")
  sizes <- sqrt(colSums(x^2))
  assign <- attr(x, "assign")
  place <- rep(1, nrow(x))
  if (nzchar(units)) {
    of_units <- lm(as.formula(paste("row ~", units)), data)
    known <- seq_len(of_units$rank)
    place[] <- max(of_units$assign) + 1
    place[known] <- of_units$assign[of_units$qr$pivot[known]]
    x <- qr.qty(of_units$qr, x)
    y <- qr.qty(of_units$qr, y)
  }
  parts <- lapply(sort(setdiff(unique(place), 0)), function(s) {
    own <- stratum_of(x[place == s, , drop = FALSE], y[place == s, , drop = FALSE],
                      assign, factors, type, sizes)
    if (type != 3) return(own)
    bases <- bases_with_empty_cells(terms, constant && !nzchar(units), data, function(z) {
      z <- of_one_variance(z, data)
      turned <- if (nzchar(units)) qr.qty(of_units$qr, z) else z
      turned <- turned[place == s, , drop = FALSE]
      turned[, sqrt(colSums(turned^2)) <= 1e-9 * sqrt(colSums(z^2))] <- 0
      turned
    })
    own$df <- vapply(bases, ncol, 0)
    own$h <- lapply(bases, function(q) crossprod(crossprod(q, y[place == s, ])))
    own
  })
  tested <- unlist(lapply(parts, function(one) which(one$df > 0)))
  last <- length(parts)
  parts[[last]]$kept <- setdiff(seq_along(terms), tested)
  found <- lapply(parts, function(one) {
    lapply(sort(c(which(one$df > 0), one$kept)), function(k) {
      list(term = k, df1 = one$df[k], df2 = one$df_error, h = one$h[[k]], e = one$e)
    })
  })
  do.call(c, found)
}

stratum_of <- function(x, y, assign, factors, type, sizes) {
  # What is rounding in this stratum is 0.
  x[, sqrt(colSums(x^2)) <= 1e-9 * sizes] <- 0
  without <- function(columns) {
    fit <- lm.fit(x[, columns, drop = FALSE], y)
    list(rank = if (any(columns)) fit$rank else 0, residuals = as.matrix(fit$residuals))
  }
  all <- without(rep(TRUE, ncol(x)))
  places <- seq_len(ncol(factors))
  made <- lapply(places, function(place) {
    others <- setdiff(places, place)
    contains <- vapply(others, function(j) all(factors[factors[, place] > 0, j] > 0), NA)
    before <- switch(type, others[others < place], others[!contains], others)
    less <- without(assign %in% c(0, before))
    more <- without(assign %in% c(0, before, place))
    df <- more$rank - less$rank
    # Without degrees of freedom the difference is rounding.
    list(df = df, h = crossprod(less$residuals - more$residuals) * (df > 0))
  })
  list(
    df = vapply(made, `[[`, 0, "df"), h = lapply(made, `[[`, "h"),
    df_error = nrow(x) - all$rank, e = crossprod(all$residuals), kept = integer(0)
  )
}

rows_by_strata <- function(y, data, terms, units, constant, type) {
  rows <- lapply(by_strata_of(y, data, terms, units, constant, type), function(one) {
    f <- if (one$df1 > 0) (one$h / one$df1) / (one$e / one$df2) else NaN
    cbind(
      df1 = one$df1, df2 = one$df2, sum_sq = as.vector(one$h), statistic = as.vector(f),
      p_value = pf(as.vector(f), one$df1, one$df2, lower.tail = FALSE)
    )
  })
  do.call(rbind, rows)
}

# The four multivariate tests of one term.
linear_model_manova_reference <- function(y, codes = NULL, x = NULL, terms, term,
                                          units = "", constant = TRUE, type = 2,
                                          by_strata = FALSE, row_weights = NULL) {
  data <- model_data(y, codes, x, row_weights)
  response <- paste0("cbind(", paste0("y", seq_len(ncol(y)), collapse = ", "), ")")
  formula <- model_formula(response, terms, units, constant)
  tests <- c("Wilks", "Pillai", "Hotelling-Lawley", "Roy")
  rows <- with_sum_contrasts(if (by_strata) {
    parts <- by_strata_of(y, data, terms, units, constant, type)
    one <- Filter(function(part) terms[part$term] == term, parts)[[1]]
    lapply(tests, function(test) multivariate_of(one$h, one$e, one$df1, one$df2, test))
  } else {
    lapply(tests, function(test) {
      multivariate_row(formula, data, term, nzchar(units), type, test)
    })
  })
  found <- do.call(rbind, rows)
  list(
    statistic = found[, 1], f = found[, 2], df1 = found[, 3], df2 = found[, 4],
    p_value = found[, 5]
  )
}

multivariate_row <- function(formula, data, term, strata, type, test) {
  if (strata) {
    fit <- manova(formula, data)
    for (part in fit) {
      if (is.null(attr(part$terms, "term.labels"))) next
      if (!(term %in% attr(part$terms, "term.labels")[unique(part$assign)])) next
      table <- summary.manova(part, test = test)$stats
      if (term %in% trimws(rownames(table))) {
        return(table[trimws(rownames(table)) == term, 2:6])
      }
    }
  }
  fit <- fitted_lm(formula, data)
  h <- if (type == 3 && anyNA(coef(fit))) {
    bases <- hypotheses_of(fit, data)
    own <- of_one_variance(fit$model[[1]], data)
    list(SSPE = crossprod(of_one_variance(residuals(fit), data)),
         error.df = df.residual(fit),
         SSP = lapply(bases, function(q) crossprod(crossprod(q, own))),
         df = vapply(bases, ncol, 0))
  } else if (type != 1) {
    car::Anova(fit, type = type, test.statistic = test)
  }
  if (type == 1) {
    # manova() of a call is lm() of it; weights are given by name.
    fit <- if (is.null(data$w)) manova(formula, data) else {
      manova(formula, data, weights = w)
    }
    table <- summary(fit, test = test)$stats
    return(table[trimws(rownames(table)) == term, 2:6])
  }
  multivariate_of(h$SSP[[term]], h$SSPE, h$df[term], h$error.df, test)
}

multivariate_of <- function(h, e, df1, df2, test) {
  values <- Re(eigen(qr.coef(qr(e), h), symmetric = FALSE)$values)
  row <- switch(test,
    "Wilks" = car:::Wilks(values, df1, df2),
    "Pillai" = car:::Pillai(values, df1, df2),
    "Hotelling-Lawley" = car:::HL(values, df1, df2),
    "Roy" = car:::Roy(values, df1, df2)
  )
  c(row[1:4], pf(row[2], row[3], row[4], lower.tail = FALSE))
}

# Estimated marginal means of some factors, and contrasts of them (rows of weights).
linear_model_means_reference <- function(y, codes = NULL, x = NULL, terms, factors,
                                         units = "", constant = TRUE, level = 0.95,
                                         weights = NULL, slope = "",
                                         single_step = FALSE, adjust = "",
                                         alpha = NaN, weighting = "equal",
                                         row_weights = NULL, at_names = NULL,
                                         at_values = NULL) {
  data <- model_data(y, codes, x, row_weights)
  fit <- with_sum_contrasts(fitted_lm(model_formula("y1", terms, "", constant), data))
  at <- setNames(as.list(at_values), at_names)
  means <- with_sum_contrasts(means_of_fit(fit, factors, slope, data, weighting, at))
  if (nzchar(units)) {
    strata <- with_sum_contrasts(aov(model_formula("y1", terms, units, constant), data))
    l <- means@linfct[our_order(means, data, factors), , drop = FALSE]
    if (!is.null(weights)) l <- weights %*% l
    found <- over_strata(l, fit, strata, units, data)
    found$n_means <- ncol(weights)
    return(
      t_of_combinations(found, level, is.null(weights), single_step, adjust, alpha)
    )
  }
  # A perfect fit has no deviation, and what is near none is rounding.
  means_or_contrasts(
    means, data, factors, level, weights, slope, single_step, sigma(fit), adjust, alpha
  )
}

# Adjusted p-values and intervals of contrasts; "": nothing. alpha: of decisions with
# which intervals agree; NaN: they hold together with level.
adjusted_contrasts <- function(found, adjust, n_means, level, alpha = NaN) {
  if (adjust == "") {
    return(NULL)
  }
  if (!is.nan(alpha)) level <- 1 - alpha
  m <- length(found$p_value)
  if (adjust == "tukey") {
    known <- is.finite(found$statistic) & found$std_error > 0
    p <- half <- rep(NaN, m)
    for (i in which(known)) {
      t <- abs(found$statistic[i]) * sqrt(2)
      p[i] <- ptukey(t, n_means, found$df[i], lower.tail = FALSE)
      half[i] <- studentized_range_quantile(1 - level, n_means, found$df[i]) / sqrt(2)
    }
  } else {
    p <- adjust_tested(found$p_value, adjust)
    if (!is.nan(alpha)) {
      return(c(list(p_adjusted = p), t_limits_of_decisions(found, p, alpha, NaN)))
    }
    half <- qt((1 - level) / (2 * m), found$df, lower.tail = FALSE)
  }
  list(
    p_adjusted = p, conf_low = found$estimate - half * found$std_error,
    conf_high = found$estimate + half * found$std_error
  )
}

means_of_fit <- function(fit, factors, slope, data, weighting = "equal",
                         at = list(), ...) {
  if (!length(factors)) factors <- ~1
  if (nzchar(slope)) {
    emmeans::emtrends(
      fit, factors,
      var = slope, data = data, weights = weighting, at = at, ...
    )
  } else {
    emmeans::emmeans(fit, factors, data = data, weights = weighting, at = at, ...)
  }
}

# emmeans of aov() with error strata: biased, as it says, unless the design is balanced.
aov_means_reference <- function(y, codes = NULL, x = NULL, terms, factors, units,
                                constant = TRUE, level = 0.95, weights = NULL,
                                slope = "", single_step = FALSE, adjust = "",
                                alpha = NaN) {
  data <- model_data(y, codes, x)
  means <- with_sum_contrasts({
    fit <- aov(model_formula("y1", terms, units, constant), data)
    means_of_fit(fit, factors, slope, data)
  })
  means_or_contrasts(
    means, data, factors, level, weights, slope, single_step,
    adjust = adjust, alpha = alpha
  )
}

# Combinations l of the coefficients by least squares, w'y. Their variance is the sum over
# strata of MS_s |P_s w|^2; the constant varies as the first stratum does. Degrees of
# freedom by Satterthwaite.
over_strata <- function(l, fit, strata, units, data) {
  kept <- !is.na(coef(fit))
  lost <- rep(FALSE, nrow(l))
  if (ncol(l) == length(kept)) {
    nonest <- estimability::nonest.basis(fit$qr)
    lost <- !apply(l, 1, estimability::is.estble, nonest)
    l <- l[, kept, drop = FALSE]
  }
  x <- qr(model.matrix(fit)[, kept, drop = FALSE])
  w <- qr.Q(x) %*% backsolve(qr.R(x), t(l[, x$pivot, drop = FALSE]), transpose = TRUE)
  of_units <- lm(as.formula(paste("y1 ~", units)), data)
  place <- rep(length(strata) - 1, nrow(w))
  known <- seq_len(of_units$rank)
  place[known] <- pmax(of_units$assign[of_units$qr$pivot[known]], 1)
  turned <- qr.qty(of_units$qr, w)
  parts <- lapply(seq_along(strata)[-1], function(s) {
    part <- turned[place == s - 1, , drop = FALSE]
    df <- strata[[s]]$df.residual
    ms <- if (df > 0) sum(strata[[s]]$residuals^2) / df else 0
    list(covariance = ms * crossprod(part), df = df, ms = ms)
  })
  covariance <- Reduce(`+`, lapply(parts, `[[`, "covariance"))
  squares <- Reduce(`+`, lapply(parts, function(one) {
    if (one$df > 0) diag(one$covariance)^2 / one$df else 0
  }))
  estimate <- as.vector(crossprod(w, data$y1))
  estimate[lost] <- diag(covariance)[lost] <- squares[lost] <- NaN
  last <- parts[[max(which(vapply(parts, function(one) one$df > 0, NA)))]]
  spread <- sqrt(last$ms)
  list(
    estimate = estimate, covariance = covariance, df = diag(covariance)^2 / squares,
    spread = spread, spread_df = last$df, alone = spread * sqrt(colSums(w^2))
  )
}

t_of_combinations <- function(found, level, means, single_step, adjust = "",
                              alpha = NaN) {
  error <- sqrt(diag(found$covariance))
  table <- list(estimate = found$estimate, std_error = error, df = found$df)
  if (means) {
    half <- qt((1 + level) / 2, found$df) * error
    return(c(table, list(
      conf_low = found$estimate - half, conf_high = found$estimate + half
    )))
  }
  t <- found$estimate / error
  table <- c(table, list(statistic = t, p_value = 2 * pt(-abs(t), found$df)))
  # Limits if estimate and deviation have one error.
  same <- abs(error - found$alone) <= 1e-9 * found$alone &
    abs(found$df - found$spread_df) <= 1e-6
  own <- data.frame(estimate = found$estimate, SE = error, df = found$df)
  effects <- standardised_effects(own, level, found$spread)
  effects$std_low[!(same %in% TRUE)] <- effects$std_high[!(same %in% TRUE)] <- NaN
  table <- c(
    table, effects, adjusted_contrasts(table, adjust, found$n_means, level, alpha)
  )
  if (single_step) table$p_adjusted <- single_step_p(t, found$df, found$covariance)
  table
}

# emmeans counts the first factor fastest, we the last one; it shows no combination that
# a factor within others does not have in the data.
our_order <- function(means, data, factors) {
  if (!length(factors)) return(1)
  codes <- lapply(factors, function(name) {
    match(as.character(means@grid[[name]]), levels(data[[name]]))
  })
  rows <- do.call(order, codes)
  shown <- means@misc$display
  if (is.null(shown)) rows else rows[shown[rows]]
}

means_or_contrasts <- function(means, data, factors, level, weights, slope,
                               single_step = FALSE, spread = NULL, adjust = "",
                               alpha = NaN) {
  order <- our_order(means, data, factors)
  # Contrasts with weights of one's own are for means without nesting: rows are rows.
  means@misc$display <- means@model.info$nesting <- NULL
  if (is.null(weights)) {
    table <- as.data.frame(summary(means, level = level))[order, ]
    estimate <- if (nzchar(slope)) paste0(slope, ".trend") else "emmean"
    # Without degrees of freedom a limit has another name.
    limit <- function(name) {
      columns <- intersect(paste0(c("", "asymp."), name), names(table))
      if (length(columns)) table[[columns[1]]] else rep(NaN, nrow(table))
    }
    return(list(
      estimate = table[[estimate]], std_error = table$SE, df = table$df,
      conf_low = limit("lower.CL"), conf_high = limit("upper.CL")
    ))
  }
  rows <- lapply(seq_len(nrow(weights)), function(i) {
    one <- numeric(nrow(means@grid))
    one[order] <- weights[i, ]
    one
  })
  names(rows) <- paste0("c", seq_along(rows))
  made <- emmeans::contrast(means, rows)
  table <- as.data.frame(summary(made, adjust = "none"))
  t <- table$estimate / table$SE
  found <- list(
    estimate = table$estimate, std_error = table$SE, df = table$df,
    statistic = t, p_value = 2 * pt(-abs(t), table$df)
  )
  if (!is.null(spread)) found <- c(found, standardised_effects(table, level, spread))
  found <- c(found, adjusted_contrasts(found, adjust, ncol(weights), level, alpha))
  if (single_step) found$p_adjusted <- single_step_p(t, table$df, vcov(made))
  found
}

# P(max |T| > |t|), T multivariate t: emmeans' adjust = "mvt", with more random points.
# mvtnorm takes whole degrees of freedom; for others the tail lies between two of them.
single_step_p <- function(t, df, covariance) {
  correlation <- cov2cor(as.matrix(covariance))
  points <- mvtnorm::GenzBretz(maxpts = 5e5, abseps = 1e-5)
  tail <- function(value, whole) {
    limit <- rep(abs(value), length(t))
    set.seed(1)
    1 - mvtnorm::pmvt(-limit, limit, df = whole, corr = correlation, algorithm = points)
  }
  vapply(seq_along(t), function(i) {
    low <- floor(df[i])
    if (df[i] - low < 1e-6) return(tail(t[i], low))
    if (low + 1 - df[i] < 1e-6) return(tail(t[i], low + 1))
    # In 1 / df the tail is nearly a line.
    share <- (1 / low - 1 / df[i]) / (1 / low - 1 / (low + 1))
    (1 - share) * tail(t[i], low) + share * tail(t[i], low + 1)
  }, 0)
}

# Estimates over the residual standard deviation; limits invert the noncentral t.
standardised_effects <- function(table, level, spread) {
  limit <- function(t, df, p) {
    if (is.na(t)) return(NaN)
    excess <- function(ncp) pt(t, df, ncp) - p
    width <- 3 * sqrt(1 + t^2 / (2 * df)) + 1
    uniroot(excess, t + c(-2, 2) * width, tol = 1e-13, extendInt = "downX")$root
  }
  t <- table$estimate / table$SE
  limits <- vapply(c((1 + level) / 2, (1 - level) / 2), function(p) {
    # pt has most digits for statistics that are not negative.
    sign <- ifelse(!is.na(t) & t < 0, -1, 1)
    tail <- ifelse(sign < 0, 1 - p, p)
    sign * mapply(limit, abs(t), table$df, tail)
  }, numeric(nrow(table)))
  limits <- matrix(limits, ncol = 2) * table$SE / spread
  list(std_effect = table$estimate / spread, std_low = limits[, 1],
       std_high = limits[, 2])
}
