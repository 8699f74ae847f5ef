# Mixed models of 0/1 outcomes: lme4::glmer, Laplace's approximation. Needs adjust.R.

glmm_fit <- function(fixed, data, random, link) {
  names <- c(case = "case", reader = "reader", "modality x reader" = "modality:reader")
  right <- c(fixed, paste0("(1 | ", names[random], ")"))
  formula <- as.formula(paste("y ~", paste(right, collapse = " + ")))
  # With the default tolerance of the conditional modes estimates have 3 digits.
  control <- lme4::glmerControl(
    optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), tolPwrss = 1e-13,
    check.conv.singular = "ignore", check.conv.grad = "ignore",
    check.conv.hess = "ignore"
  )
  lme4::glmer(formula, data, family = binomial(link), control = control)
}

glmm_reference <- function(y, modality, reader, case, random, link, adjust,
                           control = NULL, level = 0.95) {
  data <- data.frame(
    y = y, modality = factor(modality), reader = factor(reader), case = factor(case)
  )
  fit <- glmm_fit("0 + modality", data, random, link)
  alone <- glmm_fit("1", data, random, link)
  pairs <- pairs_of_positions(nlevels(data$modality), control)
  rows <- t(apply(pairs, 1, function(pair) {
    replace(replace(numeric(nlevels(data$modality)), pair[1], 1), pair[2], -1)
  }))
  estimate <- as.vector(rows %*% lme4::fixef(fit))
  std_error <- sqrt(diag(rows %*% as.matrix(vcov(fit)) %*% t(rows)))
  p <- 2 * pnorm(-abs(estimate / std_error))
  statistic <- -2 * as.numeric(logLik(alone) - logLik(fit))
  sd <- as.data.frame(lme4::VarCorr(fit))
  label <- c(case = "case", reader = "reader", "modality x reader" = "modality:reader")
  half <- qnorm((1 - level) / 2, lower.tail = FALSE)
  effect <- unname(lme4::fixef(fit))
  effect_error <- unname(sqrt(diag(as.matrix(vcov(fit)))))
  list(
    estimate = estimate, std_error = std_error, statistic = estimate / std_error,
    df = rep(Inf, length(p)), p_value = p, p_adjusted = adjust_tested(p, adjust),
    conf_low = estimate - half * std_error, conf_high = estimate + half * std_error,
    effect = effect, effect_std_error = effect_error,
    effect_probability = if (link == "logit") plogis(effect) else pnorm(effect),
    effect_conf_low = effect - half * effect_error,
    effect_conf_high = effect + half * effect_error,
    # At the boundary lme4's search ends beside 0.
    sd = ifelse(sd$sdcor < 1e-6, 0, sd$sdcor)[match(label[random], sd$grp)],
    deviance = -2 * as.numeric(logLik(fit)), omnibus_statistic = statistic,
    omnibus_df = nlevels(data$modality) - 1,
    omnibus_p_value = pchisq(statistic, nlevels(data$modality) - 1, lower.tail = FALSE)
  )
}
