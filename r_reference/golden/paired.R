# paired_*.json: tests of the differences of two algorithms. See remake.R.

given <- function(input, outputs) list(d = unlist(input$d))

calls <- alist(
  t = t.test(d),
  t_less = t.test(d, alternative = "less"),
  t_greater = t.test(d, alternative = "greater"),
  sign = binom.test(sum(d > 0), sum(d != 0)),
  sign_greater = binom.test(sum(d > 0), sum(d != 0), alternative = "greater"),
  sign_less = binom.test(sum(d > 0), sum(d != 0), alternative = "less"),
  wilcox_default = wilcox.test(d),
  wilcox_exact = wilcox.test(d, exact = TRUE),
  wilcox_exact_greater = wilcox.test(d, exact = TRUE, alternative = "greater"),
  wilcox_normal_cc = wilcox.test(d, exact = FALSE, correct = TRUE),
  wilcox_normal_nocc = wilcox.test(d, exact = FALSE, correct = FALSE),
  wilcox_nocc_less = wilcox.test(d, exact = FALSE, correct = FALSE, alternative = "less"),
  wilcox_hodges_lehmann = wilcox.test(d, conf.int = TRUE)[c("estimate", "conf.int")],
  wilcox_exactRankTests = {
    w <- exactRankTests::wilcox.exact(d, exact = TRUE)
    list(statistic = as.vector(w$statistic), p = as.vector(w$p.value))
  },
  coin_pratt_asym = {
    w <- coin::wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Pratt")
    list(Z = as.vector(coin::statistic(w)), p = as.vector(coin::pvalue(w)))
  },
  coin_pratt_exact = {
    w <- coin::wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Pratt",
      distribution = "exact")
    as.vector(coin::pvalue(w))
  },
  coin_wilcoxon_asym = {
    w <- coin::wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Wilcoxon")
    list(Z = as.vector(coin::statistic(w)), p = as.vector(coin::pvalue(w)))
  },
  coin_wilcoxon_exact = {
    w <- coin::wilcoxsign_test(d ~ rep(0, length(d)), zero.method = "Wilcoxon",
      distribution = "exact")
    as.vector(coin::pvalue(w))
  }
)
