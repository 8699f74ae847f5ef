# Synthesis over studies with overlapping methods: tau2 by metafor::rma.mv, then the
# mean square of the weighted residuals. Needs adjust.R and metafor.

# y: differences with the first method of each study; variance: their covariances, 0
# between studies; x: rows of the design, without the first method; first, second: the
# compared methods, numbered.
network_synthesis_reference <- function(y, variance, x, study, first, second,
                                        adjust = "", level = 0.95) {
  variance <- as.matrix(variance)
  x <- as.matrix(x)
  n <- length(y)
  p <- ncol(x)
  cells <- data.frame(y = y, study = factor(study), row = seq_len(n))
  # rma.mv searches the likelihood's maximum, and knows tau2 to five digits.
  fit <- metafor::rma.mv(
    y, variance,
    mods = x, intercept = FALSE, data = cells, random = ~ row | study, rho = 1 / 2,
    method = "REML"
  )
  same <- outer(study, study, "==")
  total <- variance + fit$tau2 * (diag(n) + same) / 2
  weights <- solve(total)
  information <- t(x) %*% weights %*% x
  d <- solve(information, t(x) %*% weights %*% y)
  rest <- y - x %*% d
  df <- n - p
  scale <- sum(rest * (weights %*% rest)) / df
  contrasts <- matrix(0, length(first), p + 1)
  contrasts[cbind(seq_along(first), first)] <- 1
  contrasts[cbind(seq_along(second), second)] <- -1
  contrasts <- contrasts[, -1, drop = FALSE]
  estimate <- as.vector(contrasts %*% d)
  error <- sqrt(scale * diag(contrasts %*% solve(information, t(contrasts))))
  t <- estimate / error
  p_value <- 2 * pt(-abs(t), df)
  quantile <- qt((1 + level) / 2, df)
  wide <- quantile * sqrt(fit$tau2 + error^2)
  columns <- list(
    estimate = estimate, std_error = error, statistic = t, df = rep(df, length(t)),
    p_value = p_value, conf_low = estimate - quantile * error,
    conf_high = estimate + quantile * error, predicted_low = estimate - wide,
    predicted_high = estimate + wide
  )
  if (adjust != "") columns$p_adjusted <- adjust_tested(p_value, adjust)
  c(columns, tau2 = fit$tau2, q = fit$QE, q_df = df, q_p_value = fit$QEp)
}

# The same by rma(), if each study has two methods: both have half the variance, the
# second the estimate 0, and each study a constant of its own. (Without a constant rma()
# of metafor 3.8 centres the estimates all the same, and has another tau2 and Q.)
network_synthesis_knha_reference <- function(y, variance, x, level = 0.95) {
  x <- unname(as.matrix(x))
  half <- diag(as.matrix(variance)) / 2
  study <- factor(rep(seq_along(y), 2))
  arms <- rbind(pmax(x, 0), pmax(-x, 0))
  fit <- metafor::rma(
    yi = c(y, 0 * y), vi = c(half, half), mods = ~ study + arms, method = "REML",
    test = "knha", level = 100 * level, control = list(threshold = 1e-15, maxiter = 10000)
  )
  own <- grepl("^arms", rownames(fit$beta))
  list(
    estimate = -fit$beta[own, 1], std_error = fit$se[own], statistic = -fit$zval[own],
    df = rep(fit$ddf, sum(own)), p_value = fit$pval[own], conf_low = -fit$ci.ub[own],
    conf_high = -fit$ci.lb[own], tau2 = 2 * fit$tau2, q = fit$QE, q_p_value = fit$QEp
  )
}
