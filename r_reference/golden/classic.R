# classic_*.json: analysis of variance and Tukey's differences of R's data sets npk and
# warpbreaks. See remake.R.

given <- function(input, outputs) {
  aovtab <- function(fit) {
    s <- summary(fit)[[1]]
    list(
      term = trimws(rownames(s)), Df = s$Df, SS = s$`Sum Sq`, MS = s$`Mean Sq`,
      F = s$`F value`, p = s$`Pr(>F)`
    )
  }
  list(aovtab = aovtab)
}

calls <- alist(
  aov_block = {
    aovtab(aov(yield ~ block + N + P + K, npk))
  },
  tukey_N = TukeyHSD(aov(yield ~ block + N + P + K, npk), "N")$N,
  tukey_block = TukeyHSD(aov(yield ~ block + N + P + K, npk), "block")$block,
  aov = {
    aovtab(aov(breaks ~ wool + tension, warpbreaks))
  },
  tukey_tension = TukeyHSD(aov(breaks ~ wool + tension, warpbreaks), "tension", ordered = FALSE)$tension,
  tukey_tension_oneway = TukeyHSD(aov(breaks ~ tension, warpbreaks))$tension
)
