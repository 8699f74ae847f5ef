# Checks of residuals: shapiro.test, Levene's F, Tukey's non-additivity. Needs linear.R.

# tests: which of shapiro_wilk, levene, brown_forsythe, nonadditivity.
residuals_reference <- function(x, blocked, dataset = NULL, tests) {
  fit <- fit_scores(x, blocked, dataset)
  found <- list()
  for (name in tests) {
    test <- switch(name,
      shapiro_wilk = shapiro.test(resid(fit))[c("statistic", "p.value")],
      levene = equal_spread(fit, mean),
      brown_forsythe = equal_spread(fit, median),
      nonadditivity = nonadditivity(fit)
    )
    found[[name]] <- unname(test[[1]])
    found[[paste0(name, "_p_value")]] <- test[[2]]
    if (length(test) > 2) found[[paste0(name, "_df")]] <- test[[3]]
  }
  found
}

# One-way F of distances from each algorithm's centre.
equal_spread <- function(fit, centre) {
  r <- resid(fit)
  algorithm <- model.frame(fit)$algorithm
  distance <- abs(r - ave(r, algorithm, FUN = centre))
  table <- anova(lm(distance ~ algorithm))
  list(table[["F value"]][1], table[["Pr(>F)"]][1], table[["Df"]])
}

# The squared fitted values as one more column.
nonadditivity <- function(fit) {
  squared <- (fitted(fit) - mean(fitted(fit)))^2
  table <- anova(update(fit, . ~ . + squared, data = cbind(model.frame(fit), squared)))
  row <- nrow(table) - 1
  list(table[["F value"]][row], table[["Pr(>F)"]][row], table[["Df"]][row + 0:1])
}
