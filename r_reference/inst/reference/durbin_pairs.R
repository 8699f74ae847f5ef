# Durbin's pairs by Conover's t tests, for balanced incomplete blocks. Needs ranks.R,
# adjust.R.
#
# PMCMRplus::durbinAllPairsTest has a printed formula; here the residual mean square of
# the ranks is that of lm(). x: blocks x algorithms, NA if a score is missing.
durbin_pairs_reference <- function(x, better, adjust = "", control = "") {
  turned <- lower_is_better(x, better)
  ranks <- t(apply(turned, 1, function(row) {
    row[!is.na(row)] <- midranks(row[!is.na(row)])
    row
  }))
  r <- sum(!is.na(ranks[, 1]))
  cells <- data.frame(
    rank = c(ranks), block = factor(row(ranks)), algorithm = factor(col(ranks))
  )
  fit <- lm(rank ~ block + algorithm, cells[!is.na(cells$rank), ])
  df <- df.residual(fit)
  # Without residuals nothing can be tested; what is left of them is rounding.
  spread <- deviance(fit)
  if (spread < 1e-10 * length(fit$residuals)) spread <- NaN
  error <- sqrt(2 * spread / df / r)
  means <- colSums(ranks, na.rm = TRUE) / r
  pairs <- compared_pairs(colnames(x), control)
  t <- (means[pairs[, 1]] - means[pairs[, 2]]) / error
  p <- 2 * pt(-abs(t), df)
  columns <- list(
    estimate = means[pairs[, 1]] - means[pairs[, 2]],
    std_error = rep(error, length(t)), statistic = t, df = rep(df, length(t)),
    p_value = p, conf_low = rep(NaN, length(t)), conf_high = rep(NaN, length(t))
  )
  if (adjust != "") columns$p_adjusted <- adjust_tested(p, adjust)
  lapply(columns, setNames, pair_names(pairs, colnames(x)))
}
