# sphericity_*.json: Mauchly's test, epsilons and corrected p-values. See remake.R.

given <- function(input, outputs) {
  X <- rows(input$X)
  n <- nrow(X)
  k <- ncol(X)
  long <- data.frame(
    y = as.vector(X), alg = factor(as.vector(col(X))), id = factor(as.vector(row(X)))
  )
  list(X = X, n = n, k = k, long = long)
}

calls <- alist(
  mauchly_test = {
    fit <- lm(X ~ 1)
    mauchly.test(fit, X = ~1)
  },
  anova_mlm_spherical = {
    a <- anova(fit, X = ~1, test = "Spherical")
    list(F = a$F[1], num_Df = a$`num Df`[1], den_Df = a$`den Df`[1], p = a$`Pr(>F)`[1],
      p_GG = a$`G-G Pr`[1], p_HF = a$`H-F Pr`[1], GG_epsilon = as.numeric(sub(".*: *",
        "", grep("Greenhouse", attr(a, "heading"), value = TRUE))),
      HF_epsilon = as.numeric(sub(".*: *", "", grep("Huynh", attr(a,
        "heading"), value = TRUE))))
  },
  epsilon_stats_sphericity_exact = {
    s <- stats:::sphericity(stats:::SSD(fit), X = ~1)
    list(GG = s$GG.eps, HF = s$HF.eps)
  },
  car_Anova = {
    s <- summary(car::Anova(fit, idata = data.frame(w = factor(1:k)), idesign = ~w),
      multivariate = TRUE)
    list(univariate = unclass(s$univariate.tests)[, ], sphericity = unclass(s$sphericity.tests)[,
      ], adjustments = unclass(s$pval.adjustments)[, ])
  },
  car_Anova_multivariate_within = {
    a <- car::Anova(fit, idata = data.frame(w = factor(1:k)), idesign = ~w)
    E <- a$SSPE$w
    H <- a$SSP$w
    lam <- max(Re(eigen(solve(E) %*% H)$values))
    list(hotelling_trace = lam, F = lam * (n - k + 1)/(k - 1), df1 = k -
      1, df2 = n - k + 1, p = pf(lam * (n - k + 1)/(k - 1), k - 1, n -
      k + 1, lower.tail = FALSE))
  },
  afex_aov_car = {
    a <- afex::aov_ez("id", "y", long, within = "alg", anova_table = list(correction = "none"))
    a$anova_table[, c("num Df", "den Df", "MSE", "F", "Pr(>F)")]
  },
  rstatix_anova_test = {
    r <- rstatix::anova_test(data = long, dv = y, wid = id, within = alg)
    list(anova = as.data.frame(r$ANOVA), mauchly = as.data.frame(r$`Mauchly's Test for Sphericity`),
      corrections = as.data.frame(r$`Sphericity Corrections`), note = "rstatix rounds")
  }
)
