# Random-effects synthesis by metafor: REML, Hartung and Knapp, Q profile.

# estimate, std_error: one number per study.
synthesis_reference <- function(estimate, std_error, level = 0.95) {
  # metafor stops at a change of 1e-5 by default.
  fit <- metafor::rma(
    yi = estimate, sei = std_error, method = "REML", test = "knha", level = 100 * level,
    control = list(threshold = 1e-15, maxiter = 10000)
  )
  spread <- confint(fit, control = list(tol = 1e-15, maxiter = 10000))$random[1, ]
  new <- predict(fit)
  list(
    estimate = as.vector(fit$beta), std_error = fit$se, statistic = fit$zval,
    df = fit$ddf, p_value = fit$pval, conf_low = fit$ci.lb, conf_high = fit$ci.ub,
    predicted_low = new$pi.lb, predicted_high = new$pi.ub, tau2 = fit$tau2,
    tau2_low = spread[["ci.lb"]], tau2_high = spread[["ci.ub"]], i2 = fit$I2 / 100,
    q = fit$QE, q_p_value = fit$QEp,
    weight = as.vector(stats::weights(fit)) / 100
  )
}
