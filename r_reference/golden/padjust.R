# padjust_vectors.json: adjusted p-values of families of all pairs, by p.adjust, by scmamp,
# and by enumeration. See remake.R.

source("by_hand.R")

given <- function(input, outputs) {
  p <- unlist(input$p)
  k <- input$k
  pairs <- t(combn(k, 2))
  P <- matrix(NA, k, k)
  P[pairs] <- p
  P[pairs[, 2:1, drop = FALSE]] <- p
  list(p = p, k = k, pairs = pairs, P = P)
}

# One family after another, each with its own p-values.
remade <- function(stored, kind) {
  lapply(stored$outputs, function(family) {
    one <- list(input = family[c("p", "k")], outputs = family$adjusted)
    list(k = family$k, m = family$m, p = family$p, adjusted = remade_outputs(one, kind))
  })
}

calls <- alist(
  bonferroni = p.adjust(p, "bonferroni"),
  holm = p.adjust(p, "holm"),
  hochberg = p.adjust(p, "hochberg"),
  hommel = p.adjust(p, "hommel"),
  BH = p.adjust(p, "BH"),
  BY = p.adjust(p, "BY"),
  sidak_single_accurate = pmin(1, -expm1(length(p) * log1p(-p))),
  finner_scmamp = as.vector(scmamp::adjustFinner(p)),
  finner_accurate = finner_acc(p),
  holland_scmamp = as.vector(scmamp::adjustHolland(p)),
  holland_accurate = holland_acc(p),
  li_scmamp = as.vector(scmamp::adjustLi(p)),
  li_accurate_plain = p/(p + 1 - max(p)),
  rom_scmamp_alpha05_NOT_STEPUP = as.vector(scmamp::adjustRom(p, alpha = 0.05)),
  rom_critical_alpha05 = rom_crit(length(p), 0.05),
  rom_critical_alpha10 = rom_crit(length(p), 0.1),
  rom_stepup_linear_alpha05 = rom_adj_linear(p, 0.05),
  rom_stepup_exact = rom_adj_exact(p),
  shaffer_static_scmamp = scmamp::adjustShaffer(P)[pairs],
  shaffer_static_bruteforce = {
    r <- shaffer_static_bf(p, k)
    list(p = as.vector(r), t = attr(r, "t"))
  },
  shaffer_dynamic_literal_bruteforce = {
    r <- shaffer_dynamic_literal_bf(p, k)
    list(p = as.vector(r), t = attr(r, "t"))
  },
  shaffer_dynamic_containing_bruteforce = {
    r <- shaffer_dynamic_containing_bf(p, k)
    list(p = as.vector(r), t = attr(r, "t"))
  },
  bergmann_hommel_scmamp = scmamp::adjustBergmannHommel(P)[pairs],
  bergmann_hommel_bruteforce = bergmann_hommel_bf(p, k),
  bergmann_hommel_bruteforce_without_final_monotonicity = bergmann_hommel_nocummax_bf(p, k)
)
