# Mixed models by REML: lme4, with the degrees of freedom of lmerTest and pbkrtest, and
# emmeans. Units are random intercepts; a kind with one row per cell is the
# residual.

random_terms <- function(data, units) {
  kinds <- strsplit(units, " + ", fixed = TRUE)[[1]]
  cells <- lapply(strsplit(kinds, ":", fixed = TRUE), function(names) {
    interaction(data[names], drop = TRUE)
  })
  kept <- kinds[vapply(cells, nlevels, 0) < nrow(data)]
  paste0("(1 | ", kept, ")")
}

fitted_mixed <- function(data, response, terms, units, constant) {
  right <- c(if (constant) "1" else "0", terms, random_terms(data, units))
  formula <- as.formula(paste(response, "~", paste(right, collapse = " + ")))
  environment(formula) <- environment()
  # The default search ends after 3 to 5 digits.
  control <- lme4::lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9),
                               calc.derivs = FALSE)
  do.call(lmerTest::lmer, list(formula, data, control = control))
}

# What a term adds to those it is adjusted for, as combinations of the coefficients. Of
# columns that depend on others lmer() drops some: the space of a term needs all of them.
term_rows <- function(fit, place, type) {
  x <- model.matrix(terms(fit), model.frame(fit))
  factors <- attr(terms(fit), "factors")
  assign <- attr(x, "assign")
  # Of `others` those that the term is adjusted for.
  others <- setdiff(seq_len(ncol(factors)), place)
  contains <- vapply(others, function(j) {
    all(factors[factors[, place] > 0, j] > 0)
  }, NA)
  before <- if (type == 1) {
    others[others < place]
  } else if (type == 2) {
    others[!contains]
  } else {
    others
  }
  own <- x[, assign == place, drop = FALSE]
  left <- own
  known <- assign %in% c(0, before)
  if (any(known)) left <- qr.resid(qr(x[, known, drop = FALSE]), own)
  left[, sqrt(colSums(left^2)) <= 1e-9 * sqrt(colSums(own^2))] <- 0
  made <- qr(left)
  basis <- qr.Q(made)[, seq_len(if (any(left != 0)) made$rank else 0), drop = FALSE]
  crossprod(basis, lme4::getME(fit, "X"))
}

# Fai and Cornelius' df depend on the basis of a hypothesis: here it is orthonormal in
# the space of the data. lmerTest::contestMD leaves eigen() to find out whether a matrix
# is symmetric; if rounding says no and eigenvalues are equal, its F is wrong. So the
# rows are turned to its principal axes first, and each is tested separately.
satterthwaite_test <- function(fit, rows) {
  axes <- eigen(rows %*% as.matrix(vcov(fit)) %*% t(rows), symmetric = TRUE)$vectors
  own <- lmerTest::contest(fit, crossprod(axes, rows), joint = FALSE)
  ddf <- lmerTest:::get_Fstat_ddf(own[, "df"], tol = 1e-8)
  f <- mean(own[, "t value"]^2)
  p <- pf(f, nrow(rows), ddf, lower.tail = FALSE)
  c(NumDF = nrow(rows), DenDF = ddf, "F value" = f, "Pr(>F)" = p)
}

mixed_test <- function(fit, rows, df) {
  if (nrow(rows) == 0) {
    return(c(NumDF = 0, DenDF = NaN, "F value" = NaN, "Pr(>F)" = NaN))
  }
  if (df == "satterthwaite") return(satterthwaite_test(fit, rows))
  table <- lmerTest::contest(fit, rows, ddf = "Kenward-Roger")
  unlist(table[c("NumDF", "DenDF", "F value", "Pr(>F)")])
}

mixed_model_reference <- function(y, codes = NULL, x = NULL, terms, units,
                                  constant = TRUE, type = 2, df = "kenward-roger",
                                  level = 0.95) {
  data <- model_data(y, codes, x)
  rows <- with_sum_contrasts(lapply(seq_len(ncol(y)), function(j) {
    fit <- fitted_mixed(data, paste0("y", j), terms, units, constant)
    x <- lme4::getME(fit, "X")
    empty <- type == 3 && length(attr(x, "col.dropped")) > 0
    bases <- if (empty) bases_with_empty_cells(terms, constant, data)
    own <- lapply(seq_along(terms), function(place) {
      rows <- if (empty) crossprod(bases[[place]], x) else term_rows(fit, place, type)
      mixed_test(fit, rows, df)
    })
    do.call(rbind, own)
  }))
  found <- do.call(rbind, rows)
  tests <- list(
    df1 = unname(found[, "NumDF"]), df2 = unname(found[, "DenDF"]),
    statistic = unname(found[, "F value"]), p_value = unname(found[, "Pr(>F)"])
  )
  c(tests, effects_of_terms(tests, level))
}

# Variances in the order of the units, then of the rows; and restricted likelihoods.
mixed_model_variances_reference <- function(y, codes = NULL, x = NULL, terms, units,
                                            constant = TRUE) {
  data <- model_data(y, codes, x)
  found <- with_sum_contrasts(lapply(seq_len(ncol(y)), function(j) {
    fit <- fitted_mixed(data, paste0("y", j), terms, units, constant)
    table <- as.data.frame(lme4::VarCorr(fit))
    kept <- gsub("^\\(1 \\| |\\)$", "", random_terms(data, units))
    variance <- table$vcov[match(c(kept, "Residual"), table$grp)]
    # The search ends just above a bound of 0.
    variance[variance < 1e-12 * sum(variance)] <- 0
    list(
      variance = variance, std_dev = sqrt(variance), share = variance / sum(variance),
      log_likelihood = as.numeric(stats::logLik(fit))
    )
  }))
  names <- c("variance", "std_dev", "share", "log_likelihood")
  lapply(stats::setNames(nm = names), function(name) unlist(lapply(found, `[[`, name)))
}

# Marginal means or slopes, and contrasts of them (rows of weights).
mixed_model_means_reference <- function(y, codes = NULL, x = NULL, terms, factors, units,
                                        constant = TRUE, level = 0.95, weights = NULL,
                                        slope = "", df = "kenward-roger",
                                        single_step = FALSE, adjust = "",
                                        alpha = NaN, weighting = "equal",
                                        at_names = NULL, at_values = NULL) {
  data <- model_data(y, codes, x)
  at <- setNames(as.list(at_values), at_names)
  means <- with_sum_contrasts({
    fit <- fitted_mixed(data, "y1", terms, units, constant)
    means_of_fit(fit, factors, slope, data, weighting, at, lmer.df = df)
  })
  means_or_contrasts(
    means, data, factors, level, weights, slope, single_step, adjust = adjust,
    alpha = alpha
  )
}
