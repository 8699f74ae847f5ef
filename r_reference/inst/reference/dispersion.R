# Levene-type tests of residuals: distances from the centre of each group over all
# responses, compared by an analysis of variance. vegan::betadisper (mean) and
# car::leveneTest (median, one response). Needs linear_model.R.

dispersion_reference <- function(y, codes = NULL, x = NULL, terms, units = "",
                                 constant = TRUE, factors, centre, standardise) {
  data <- model_data(y, codes, x)
  formula <- model_formula("y", unlist(terms), "", constant)
  environment(formula) <- environment()
  fit <- lm(formula, data)
  rest <- as.matrix(resid(fit))
  if (standardise == "sd") {
    rest <- sweep(rest, 2, sqrt(colSums(rest^2) / fit$df.residual), "/")
  }
  group <- interaction(data[unlist(factors)], drop = TRUE, lex.order = TRUE)
  found <- if (centre == "mean") {
    from_centroids(rest, group)
  } else if (ncol(rest) == 1) {
    levene(rest[, 1], group)
  } else {
    from_medians(rest, group)
  }
  c(found[c("statistic", "df", "p_value")],
    list(mean_distance = as.vector(tapply(found$distance, group, mean))))
}

spread_test <- function(table, distance) {
  list(statistic = table[1, "F value"], df = as.double(table[, "Df"]),
       p_value = table[1, "Pr(>F)"], distance = distance)
}

from_centroids <- function(rest, group) {
  made <- vegan::betadisper(dist(rest), group, type = "centroid")
  spread_test(anova(made), made$distances)
}

levene <- function(rest, group) {
  distance <- abs(rest - ave(rest, group, FUN = median))
  spread_test(car::leveneTest(rest, group, center = median), distance)
}

from_medians <- function(rest, group) {
  centre <- apply(rest, 2, function(column) ave(column, group, FUN = median))
  distance <- sqrt(rowSums((rest - centre)^2))
  spread_test(anova(lm(distance ~ group)), distance)
}
