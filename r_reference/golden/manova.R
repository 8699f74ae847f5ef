# manova_*.json: multivariate analysis of variance, Bartlett's D2_r, Hotelling's T2 of all
# pairs, Box's M, Mardia, by R's own functions and by car, rrcov, yacca, CCP, candisc,
# heplots, biotools, psych, MVN, ICSNP, Hotelling. See remake.R.

given <- function(input, outputs) {
  Y <- rows(input$Y$matrix)
  colnames(Y) <- unlist(input$Y$cols)
  alg <- factor(unlist(input$alg_levels)[unlist(input$alg)], unlist(input$alg_levels))
  blk <- if (!is.null(input$blk)) factor(unlist(input$blk))
  fo <- if (is.null(blk)) Y ~ alg else Y ~ blk + alg
  environment(fo) <- environment()
  # The independent part of a nearly dependent metric is stored: it is not in the input.
  well <- outputs$well_conditioned_equivalent$value$Ywc
  list(
    Y = Y, alg = alg, blk = blk, fo = fo, p = ncol(Y), pr = t(combn(nlevels(alg), 2)),
    Ywc = if (!is.null(well)) rows(well)
  )
}

# Four statistics of every term.
tab4 <- function(fit, ...) {
  tests <- c("Pillai", "Wilks", "Hotelling-Lawley", "Roy")
  sapply(tests, function(test) {
    s <- summary(fit, test = test, ...)$stats
    list(
      term = trimws(rownames(s)), Df = unname(s[, 1]), stat = unname(s[, 2]),
      approxF = unname(s[, 3]), numDf = unname(s[, 4]), denDf = unname(s[, 5]),
      p = unname(s[, 6])
    )
  }, simplify = FALSE)
}

# Eigenvalues of E^-1 H by the Cholesky factor of E.
chol_eig <- function(E, H) {
  inverse <- solve(chol(E))
  eigen(t(inverse) %*% H %*% inverse, symmetric = TRUE, only.values = TRUE)$values
}

# car's tests of one term, from its matrices of sums of squares.
carAll <- function(fit, term) {
  a <- car::Anova(fit, type = 2)
  E <- a$SSPE
  H <- a$SSP[[term]]
  values <- Re(eigen(qr.coef(qr(E), H), symmetric = FALSE, only.values = TRUE)$values)
  df <- a$df[[term]]
  one <- function(f) {
    s <- f(values, df, a$error.df)
    list(
      stat = s[1], approxF = s[2], numDf = s[3], denDf = s[4],
      p = pf(s[2], s[3], s[4], lower.tail = FALSE)
    )
  }
  list(
    dfh = df, dfe = a$error.df, E = unname(E), H = unname(H), eigen = values,
    tests = list(
      Pillai = one(stats:::Pillai), Wilks = one(stats:::Wilks), HL = one(stats:::HL),
      Roy = one(stats:::Roy)
    )
  )
}

# Bartlett's chi2 of the dimensions beyond r.
bart <- function(eigenvalues, p, dfh, dfe) {
  s <- min(p, dfh)
  values <- eigenvalues[seq_len(s)]
  r <- seq_len(s) - 1
  factor <- dfe - (p - dfh + 1) / 2
  chi2 <- factor * rev(cumsum(rev(log1p(values))))
  df <- (p - r) * (dfh - r)
  list(
    r = r, factor = factor, chi2 = chi2, df = df,
    p = pchisq(chi2, df, lower.tail = FALSE)
  )
}

calls <- alist(
  fit_rank = {
    fit <- manova(fo)
    lmfit <- lm(fo)
    qr(resid(lmfit))$rank
  },
  SSP_error = {
    r <- unname(crossprod(resid(lmfit)))
    r
  },
  SSP_alg = {
    m0 <- if (length(all.vars(fo)) > 2)
      lm(Y ~ blk)
    else lm(Y ~ 1)
    unname(crossprod(resid(m0)) - crossprod(resid(lmfit)))
  },
  dfs = c(dfe = lmfit$df.residual, dfh = nlevels(alg) - 1, N = nrow(Y), p = p),
  eigenvalues_summary_manova = {
    s <- summary(fit, test = "Wilks")$Eigenvalues
    s[nrow(s), ]
  },
  eigenvalues_cholesky_tol0 = chol_eig(crossprod(resid(lmfit)), crossprod(resid(m0)) - crossprod(resid(lmfit))),
  summary_manova_default_tol = tab4(fit),
  summary_manova_tol0 = tab4(fit, tol = 0),
  car_Manova_type2 = carAll(lmfit, "alg"),
  bartlett_D2_r_by_hand = {
    s <- summary(fit, test = "Wilks")$Eigenvalues
    bart(as.vector(s[nrow(s), ]), p, nlevels(alg) - 1, lmfit$df.residual)
  },
  bartlett_D2_r_from_tol0 = {
    s <- summary(fit, test = "Wilks", tol = 0)$Eigenvalues
    bart(as.vector(s[nrow(s), ]), p, nlevels(alg) - 1, lmfit$df.residual)
  },
  univariate_aov = lapply(seq_len(p), function(j) {
    s <- summary(aov(if (length(all.vars(fo)) > 2)
      Y[, j] ~ blk + alg
    else Y[, j] ~ alg))[[1]]
    i <- nrow(s) - 1
    list(dfh = s$Df[i], dfe = s$Df[i + 1], SS = s$`Sum Sq`[i], SSE = s$`Sum Sq`[i +
      1], F = s$`F value`[i], p = s$`Pr(>F)`[i])
  }),
  candisc_Wilks_formula = {
    s <- summary(fit, test = "Wilks", tol = 0)$Eigenvalues
    obj <- list(eigenvalues = as.vector(s[nrow(s), ]), scores = matrix(0,
      nrow(Y), 1), dfh = nlevels(alg) - 1, coeffs.std = matrix(0, p,
      1), rank = min(p, nlevels(alg) - 1))
    as.list(unclass(candisc::Wilks.candisc(obj)))
  },
  mardia_psych_residuals = {
    r <- psych::mardia(resid(lmfit), plot = FALSE)
    r[c("n.obs", "n.var", "b1p", "b2p", "skew", "small.skew", "p.skew",
      "p.small", "kurtosis", "p.kurt")]
  },
  mardia_psych_raw = {
    r <- psych::mardia(Y, plot = FALSE)
    r[c("n.obs", "n.var", "b1p", "b2p", "skew", "small.skew", "p.skew",
      "p.small", "kurtosis", "p.kurt")]
  },
  mardia_MVN_population_cov_raw = as.list(MVN::mardia(Y)),
  mardia_MVN_unbiased_cov_raw = as.list(MVN::mardia(Y, use_population = FALSE)),
  pairs = pr,
  pairwise_hotelling_paired = lapply(seq_len(nrow(pr)), function(i) {
    ii <- which(as.integer(alg) == pr[i, 1])
    jj <- which(as.integer(alg) == pr[i, 2])
    ii <- ii[order(as.integer(blk)[ii])]
    jj <- jj[order(as.integer(blk)[jj])]
    D <- Y[ii, , drop = FALSE] - Y[jj, , drop = FALSE]
    n <- nrow(D)
    ic <- tryCatch(ICSNP::HotellingsT2(D), error = function(x) NULL)
    if (is.null(ic))
      return(list(error = "singular"))
    sp_ <- summary(manova(D ~ 1), intercept = TRUE, test = "Hotelling-Lawley")$stats
    list(mean = colMeans(D), n = n, ICSNP_F = as.vector(ic$statistic),
      df = as.vector(ic$parameter), p = as.vector(ic$p.value), T2 = as.vector(ic$statistic) *
        p * (n - 1)/(n - p), manova_intercept_F = sp_[1, 3], manova_intercept_p = sp_[1,
        6])
  }),
  rrcov_Wilks_test_bartlett_chi2 = {
    w <- rrcov::Wilks.test(Y, grouping = alg, method = "c", approximation = "Bartlett")
    list(wilks = as.vector(w$statistic), chi2 = unname(w$parameter[1]),
      df = unname(w$parameter[2]), p = as.vector(w$p.value))
  },
  rrcov_Wilks_test_rao = {
    w <- rrcov::Wilks.test(Y, grouping = alg, method = "c", approximation = "Rao")
    list(wilks = as.vector(w$statistic), F = unname(w$parameter[1]), df1 = unname(w$parameter[2]),
      df2 = unname(w$parameter[3]), p = as.vector(w$p.value))
  },
  yacca_cca_bartlett_chi2_per_dimension = {
    D <- model.matrix(~alg)[, -1, drop = FALSE]
    c_ <- yacca::cca(Y, D)
    list(corr = as.vector(c_$corr), chisq = as.vector(c_$chisq), df = as.vector(c_$df),
      p = as.vector(pchisq(c_$chisq, c_$df, lower.tail = FALSE)))
  },
  CCP_p_asym_wilks = {
    D <- model.matrix(~alg)[, -1, drop = FALSE]
    rho <- cancor(Y, D)$cor
    r <- CCP::p.asym(rho, nrow(Y), p, ncol(D), tstat = "Wilks")
    r[c("stat", "approx", "df1", "df2", "p.value")]
  },
  CCP_p_asym_hotelling = {
    r <- CCP::p.asym(rho, nrow(Y), p, ncol(D), tstat = "Hotelling")
    r[c("stat", "approx", "df1", "df2", "p.value")]
  },
  CCP_p_asym_pillai = {
    r <- CCP::p.asym(rho, nrow(Y), p, ncol(D), tstat = "Pillai")
    r[c("stat", "approx", "df1", "df2", "p.value")]
  },
  CCP_p_asym_roy_other_df = {
    r <- CCP::p.asym(rho, nrow(Y), p, ncol(D), tstat = "Roy")
    r[c("stat", "approx", "df1", "df2", "p.value")]
  },
  boxM_heplots = {
    r <- heplots::boxM(Y, alg)
    list(statistic = as.vector(r$statistic), parameter = as.vector(r$parameter),
      p = as.vector(r$p.value))
  },
  boxM_biotools = {
    r <- biotools::boxM(Y, alg)
    list(statistic = as.vector(r$statistic), parameter = as.vector(r$parameter),
      p = as.vector(r$p.value))
  },
  pairwise_hotelling_two_sample = lapply(seq_len(nrow(pr)), function(i) {
    x <- Y[as.integer(alg) == pr[i, 1], , drop = FALSE]
    y <- Y[as.integer(alg) == pr[i, 2], , drop = FALSE]
    h <- Hotelling::hotelling.test(x, y)
    ic <- ICSNP::HotellingsT2(x, y)
    list(T2 = as.vector(h$stats$statistic), F_scale_m = h$stats$m, df = h$stats$df,
      p = as.vector(h$pval), ICSNP_F = as.vector(ic$statistic), ICSNP_df = as.vector(ic$parameter),
      ICSNP_p = as.vector(ic$p.value))
  }),
  pairwise_hotelling_two_sample_unequal_cov = lapply(seq_len(nrow(pr)), function(i) {
    x <- Y[as.integer(alg) == pr[i, 1], , drop = FALSE]
    y <- Y[as.integer(alg) == pr[i, 2], , drop = FALSE]
    h <- Hotelling::hotelling.test(x, y, var.equal = FALSE)
    list(T2 = as.vector(h$stats$statistic), m = h$stats$m, df = h$stats$df,
      p = as.vector(h$pval))
  }),
  well_conditioned_equivalent = {
    f2 <- manova(Ywc ~ blk + alg)
    s <- summary(f2, test = "Wilks")$Eigenvalues
    list(Ywc = unname(Ywc), eigenvalues = as.vector(s[nrow(s), ]), tests = tab4(f2),
      bartlett_D2_r = bart(as.vector(s[nrow(s), ]), ncol(Ywc), nlevels(alg) -
        1, nrow(f2$residuals) - nlevels(blk) - nlevels(alg) + 1))
  }
)
