# Writes network_senn2013.json beside it: Rscript network.R, in this folder.
#
# Senn et al. (2013), glucose-lowering drugs, as in the package metadat: 26 studies of 2
# or 3 of 10 treatments. The model of arms with a constant for each study is that of
# differences: rma() has the variance of an arm, half that of a difference.

suppressMessages(library(metafor))
source("json.R")
arms <- escalc(measure = "MN", mi = mi, sdi = sdi, ni = ni, data = metadat::dat.senn2013)
arms$study <- factor(arms$study, unique(arms$study))
arms$treatment <- relevel(factor(arms$treatment), "placebo")
rows <- do.call(rbind, lapply(split(arms, arms$study), function(s) {
  k <- combn(nrow(s), 2)
  data.frame(
    study = as.character(s$study[1]), first = as.character(s$treatment[k[1, ]]),
    second = as.character(s$treatment[k[2, ]]), estimate = s$yi[k[1, ]] - s$yi[k[2, ]],
    std_error = sqrt(s$vi[k[1, ]] + s$vi[k[2, ]])
  )
}))
fit <- rma(yi, vi,
  mods = ~ study + treatment, data = arms, method = "REML", test = "knha",
  control = list(threshold = 1e-15, maxiter = 10000)
)
own <- grepl("^treatment", rownames(fit$beta))
spread <- confint(fit, control = list(tol = 1e-15, maxiter = 10000))$random[1, ]
found <- list(
  id = "network_senn2013",
  notes = "differences of arms; outputs are treatment less placebo",
  generated_with = list(
    R = R.version.string, metafor = as.character(packageVersion("metafor")),
    metadat = as.character(packageVersion("metadat"))
  ),
  input = as.list(rows),
  outputs = list(knha = list(
    call = "rma(yi, vi, mods = ~ study + treatment, method = \"REML\", test = \"knha\")",
    value = list(
      treatment = sub("^treatment", "", rownames(fit$beta)[own]),
      estimate = fit$beta[own, 1], std_error = fit$se[own], df = fit$ddf,
      p_value = fit$pval[own], conf_low = fit$ci.lb[own], conf_high = fit$ci.ub[own],
      tau2 = 2 * fit$tau2, tau2_low = 2 * spread[["ci.lb"]],
      tau2_high = 2 * spread[["ci.ub"]], q = fit$QE, q_p_value = fit$QEp
    )
  ))
)
writeLines(json(found), "network_senn2013.json")
