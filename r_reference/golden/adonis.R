# adonis_*.json: permutational MANOVA by vegan with stored permutations. See remake.R.

suppressMessages(library(vegan))

given <- function(input, outputs) {
  tb <- function(r) {
    list(
      term = rownames(r), Df = r$Df, SS = r$SumOfSqs, R2 = r$R2, F = r$F, p = r$`Pr(>F)`
    )
  }
  list(
    Y = rows(input$Y), PB = rows(input$perm_within_blocks), PF = rows(input$perm_free),
    df = data.frame(alg = factor(unlist(input$alg)), blk = factor(unlist(input$blk))),
    tb = tb
  )
}

calls <- alist(
  adonis2_alg_only_free = {
    r <- adonis2(dist(Y) ~ alg, data = df, permutations = PF, by = "terms")
    tb(r)
  },
  adonis2_alg_only_within_blocks = {
    r <- adonis2(dist(Y) ~ alg, data = df, permutations = PB, by = "terms")
    tb(r)
  },
  adonis2_blk_alg_terms_within_blocks = {
    r <- adonis2(dist(Y) ~ blk + alg, data = df, permutations = PB, by = "terms")
    tb(r)
  },
  adonis2_blk_alg_margin_within_blocks = {
    r <- adonis2(dist(Y) ~ blk + alg, data = df, permutations = PB, by = "margin")
    tb(r)
  },
  adonis2_blk_alg_terms_free = {
    r <- adonis2(dist(Y) ~ blk + alg, data = df, permutations = PF, by = "terms")
    tb(r)
  },
  adonis2_manhattan_alg_within_blocks = {
    r <- adonis2(dist(Y, "manhattan") ~ blk + alg, data = df, permutations = PB,
      by = "terms")
    tb(r)
  },
  permutation_F_values_blk_alg_terms_within_blocks = {
    as.vector(permustats(r0 <- adonis2(dist(Y) ~ blk + alg, data = df,
      permutations = PB, by = "terms"))$permutations[, 2])
  },
  betadisper_F = {
    bd <- betadisper(dist(Y), df$alg, type = "centroid")
    a <- anova(bd)
    list(F = a$`F value`[1], p = a$`Pr(>F)`[1])
  }
)
