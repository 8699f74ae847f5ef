# ranks_*.json: rank tests, their pairs and adjusted p-values, analysis of variance, tests
# of two algorithms, by R's own functions, by scmamp, PMCMRplus, coin, rstatix, irr,
# exactRankTests, emmeans, multcomp, and by enumeration. See remake.R.

source("by_hand.R")

given <- function(input, outputs) {
  X <- table_of(input$X)
  n <- nrow(X)
  k <- ncol(X)
  cells <- expand.grid(blk = rownames(X), alg = colnames(X))
  long <- data.frame(
    y = as.vector(X), alg = factor(cells$alg, colnames(X)),
    blk = factor(cells$blk, rownames(X))
  )
  pairs <- t(combn(k, 2))
  mr <- colMeans(t(apply(-X, 1, rank)))
  z <- unname(mr[pairs[, 1]] - mr[pairs[, 2]]) / sqrt(k * (k + 1) / (6 * n))
  praw <- 2 * pnorm(-abs(z))
  P <- matrix(NA, k, k)
  P[pairs] <- praw
  P[pairs[, 2:1, drop = FALSE]] <- praw
  aligned <- X - rowMeans(X)
  rank_all <- function(x) array(rank(-x), dim(x), dimnames(x))
  list(
    X = X, n = n, k = k, long = long, pairs = pairs, mr = mr, z = z, praw = praw, P = P,
    Xi = round(1e6 * X), ar = rank_all(aligned), art = rank_all(signif(aligned, 12)), bf = bergmann_hommel_bf,
    sh = shaffer_static_bf, sd1 = shaffer_dynamic_literal_bf,
    sd2 = shaffer_dynamic_containing_bf
  )
}

calls <- alist(
  mean_ranks_decreasing = colMeans(scmamp::rankMatrix(X)),
  mean_ranks_increasing = colMeans(scmamp::rankMatrix(X, decreasing = FALSE)),
  friedman_stats = stats::friedman.test(X),
  friedman_scmamp_no_tie_correction = scmamp::friedmanTest(X),
  iman_davenport_scmamp_no_tie_correction = scmamp::imanDavenportTest(X),
  iman_davenport_tie_corrected = PMCMRplus::friedmanTest(X, dist = "FDist"),
  friedman_coin_asymptotic = {
    f <- coin::friedman_test(y ~ alg | blk, data = long)
    list(chisq = as.vector(coin::statistic(f)), p = as.vector(coin::pvalue(f)))
  },
  quade_stats = stats::quade.test(X),
  quade_scmamp_no_tie_correction = scmamp::quadeTest(X),
  aligned_ranks_scmamp = scmamp::friedmanAlignedRanksTest(X),
  aligned_ranks_colmeans_exact = colMeans(ar),
  aligned_ranks_stat_signif12_same_formula = {
    rj <- colSums(art)
    ri <- rowSums(art)
    N <- n * k
    T <- (k - 1) * (sum(rj^2) - (k * n^2/4) * (k * n + 1)^2)/(N * (N +
      1) * (2 * N + 1)/6 - sum(ri^2)/k)
    list(T = T, df = k - 1, p = pchisq(T, k - 1, lower.tail = FALSE))
  },
  aligned_ranks_colmeans_signif12 = colMeans(art),
  kendall_W_rstatix = rstatix::friedman_effsize(long, y ~ alg | blk)$effsize,
  kendall_W_irr_tie_corrected = {
    r <- irr::kendall(t(X), correct = TRUE)
    r[c("value", "statistic", "p.value", "subjects", "raters")]
  },
  kendall_W_irr_uncorrected = {
    r <- irr::kendall(t(X), correct = FALSE)
    r[c("value", "statistic", "p.value")]
  },
  nemenyi_PMCMRplus = PMCMRplus::frdAllPairsNemenyiTest(X)[c("statistic", "p.value")],
  nemenyi_pairs_q_dfInf = abs(z) * sqrt(2),
  nemenyi_pairs_p_dfInf_upper = ptukey(abs(z) * sqrt(2), k, Inf, lower.tail = FALSE),
  nemenyi_CD_alpha_0.05_dfInf = qtukey(0.95, k, Inf)/sqrt(2) * sqrt(k * (k + 1)/(6 * n)),
  nemenyi_CD_alpha_0.10_dfInf = qtukey(0.9, k, Inf)/sqrt(2) * sqrt(k * (k + 1)/(6 * n)),
  nemenyi_CD_scmamp_df_k_n1 = scmamp::nemenyiTest(X, alpha = 0.05)[c("statistic", "parameter")],
  posthoc_pairs = pairs,
  friedman_post_z = z,
  friedman_post_p_upper = praw,
  friedman_post_log_p = log(2) + pnorm(-abs(z), log.p = TRUE),
  friedman_post_scmamp = scmamp::friedmanPost(X),
  aligned_post_scmamp = scmamp::friedmanAlignedRanksPost(X),
  quade_post_scmamp = scmamp::quadePost(X),
  frd_conover_PMCMRplus = PMCMRplus::frdAllPairsConoverTest(X, p.adjust.method = "none")[c("statistic",
    "p.value")],
  frd_siegel_PMCMRplus = PMCMRplus::frdAllPairsSiegelTest(X, p.adjust.method = "none")[c("statistic",
    "p.value")],
  frd_exact_PMCMRplus = PMCMRplus::frdAllPairsExactTest(X, p.adjust.method = "none")[c("statistic",
    "p.value")],
  quade_post_t_PMCMRplus = PMCMRplus::quadeAllPairsTest(X, dist = "TDist", p.adjust.method = "none")[c("statistic",
    "p.value")],
  demsar_control1_PMCMRplus = PMCMRplus::frdManyOneDemsarTest(X, p.adjust.method = "none")[c("statistic",
    "p.value")],
  adj_bonferroni = p.adjust(praw, "bonferroni"),
  adj_holm = p.adjust(praw, "holm"),
  adj_hochberg = p.adjust(praw, "hochberg"),
  adj_hommel = p.adjust(praw, "hommel"),
  adj_BH = p.adjust(praw, "BH"),
  adj_BY = p.adjust(praw, "BY"),
  adj_finner_scmamp = as.vector(scmamp::adjustFinner(praw)),
  adj_holland_scmamp = as.vector(scmamp::adjustHolland(praw)),
  adj_li_scmamp = as.vector(scmamp::adjustLi(praw)),
  adj_rom_scmamp_alpha05_NOT_STEPUP = as.vector(scmamp::adjustRom(praw, alpha = 0.05)),
  rom_critical_values_alpha05 = rom_crit(length(praw), 0.05),
  adj_rom_stepup_linear_alpha05 = rom_adj_linear(praw, 0.05),
  adj_rom_stepup_exact = rom_adj_exact(praw),
  adj_finner_accurate = finner_acc(praw),
  adj_holland_accurate = holland_acc(praw),
  adj_li_unbounded_formula = praw/(praw + 1 - max(praw)),
  adj_shaffer_static_scmamp = scmamp::adjustShaffer(P)[pairs],
  adj_bergmann_hommel_scmamp = scmamp::adjustBergmannHommel(P)[pairs],
  adj_bergmann_hommel_bruteforce = bf(praw, k),
  adj_shaffer_static_bruteforce = as.vector(sh(praw, k)),
  adj_shaffer_dynamic_literal_bruteforce = as.vector(sd1(praw, k)),
  adj_shaffer_dynamic_containing_bruteforce = as.vector(sd2(praw, k)),
  anova_blocked = {
    a <- aov(y ~ blk + alg, data = long)
    s <- summary(a)[[1]]
    list(term = trimws(rownames(s)), Df = s$Df, SS = s$`Sum Sq`, MS = s$`Mean Sq`,
      F = s$`F value`, p = s$`Pr(>F)`)
  },
  tukeyHSD_blocked = TukeyHSD(aov(y ~ blk + alg, data = long), "alg")$alg,
  tukeyHSD_blocked_p_upper = {
    a <- aov(y ~ blk + alg, data = long)
    mse <- deviance(a)/df.residual(a)
    q <- apply(pairs, 1, function(j) abs(diff(colMeans(X)[j])))/sqrt(mse/n)
    ptukey(q, k, df.residual(a), lower.tail = FALSE)
  },
  emmeans_tukey_blocked = {
    s <- summary(pairs(emmeans::emmeans(aov(y ~ blk + alg, data = long),
      "alg")))
    s[c("estimate", "SE", "df", "t.ratio", "p.value")]
  },
  anova_oneway = {
    s <- summary(aov(y ~ alg, data = long))[[1]]
    list(Df = s$Df, SS = s$`Sum Sq`, MS = s$`Mean Sq`, F = s$`F value`[1],
      p = s$`Pr(>F)`[1])
  },
  tukeyHSD_oneway = TukeyHSD(aov(y ~ alg, data = long))$alg,
  pair_t = lapply(seq_len(nrow(pairs)), function(i) t.test(X[, pairs[i, 1]], X[, pairs[i,
    2]], paired = TRUE)[c("statistic", "parameter", "p.value", "estimate",
    "conf.int")]),
  pair_sign = lapply(seq_len(nrow(pairs)), function(i) {
    d <- X[, pairs[i, 1]] - X[, pairs[i, 2]]
    b <- binom.test(sum(d > 0), max(1, sum(d != 0)))
    list(plus = sum(d > 0), minus = sum(d < 0), zero = sum(d == 0), p = b$p.value,
      conf.int = as.vector(b$conf.int))
  }),
  pair_wilcox_R_default = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(X[,
    pairs[i, 1]], X[, pairs[i, 2]], paired = TRUE))[c("statistic", "p.value",
    "method")]),
  pair_wilcox_normal_nocc = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(X[,
    pairs[i, 1]], X[, pairs[i, 2]], paired = TRUE, exact = FALSE, correct = FALSE))[c("statistic",
    "p.value")]),
  pair_wilcox_normal_cc = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(X[,
    pairs[i, 1]], X[, pairs[i, 2]], paired = TRUE, exact = FALSE, correct = TRUE))[c("statistic",
    "p.value")]),
  pair_wilcox_exact_ties_exactRankTests = lapply(seq_len(nrow(pairs)), function(i) exactRankTests::wilcox.exact(X[,
    pairs[i, 1]], X[, pairs[i, 2]], paired = TRUE, exact = TRUE)[c("statistic",
    "p.value")]),
  pair_wilcox_coin_pratt = lapply(seq_len(nrow(pairs)), function(i) {
    w <- coin::wilcoxsign_test(X[, pairs[i, 1]] ~ X[, pairs[i, 2]], zero.method = "Pratt",
      distribution = "asymptotic")
    list(Z = as.vector(coin::statistic(w)), p = as.vector(coin::pvalue(w)))
  }),
  pair_wilcox_coin_pratt_exact = lapply(seq_len(nrow(pairs)), function(i) {
    w <- coin::wilcoxsign_test(X[, pairs[i, 1]] ~ X[, pairs[i, 2]], zero.method = "Pratt",
      distribution = "exact")
    list(Z = as.vector(coin::statistic(w)), p = as.vector(coin::pvalue(w)))
  }),
  pair_wilcox_coin_wilcoxon_exact = lapply(seq_len(nrow(pairs)), function(i) {
    w <- coin::wilcoxsign_test(X[, pairs[i, 1]] ~ X[, pairs[i, 2]], zero.method = "Wilcoxon",
      distribution = "exact")
    list(Z = as.vector(coin::statistic(w)), p = as.vector(coin::pvalue(w)))
  }),
  pair_wilcox_scmamp_one_sided = lapply(seq_len(nrow(pairs)), function(i) scmamp::wilcoxonSignedTest(X[,
    pairs[i, 1]], X[, pairs[i, 2]])[c("statistic", "p.value")]),
  pair_correlated_t_rho0.1_scmamp = lapply(seq_len(nrow(pairs)), function(i) scmamp::correlatedTtest(X[, pairs[i,
    1]], X[, pairs[i, 2]], rho = 0.1)[c("statistic", "p.value")]),
  adj_shaffer_dynamic_multcomp = {
    cf <- setNames(mr, paste0("a", seq_len(k)))
    g <- multcomp::glht(multcomp::parm(cf, diag(k) * k * (k + 1)/(12 *
      n)), linfct = multcomp::contrMat(setNames(rep(1, k), names(cf)),
      "Tukey"))
    s <- summary(g, test = multcomp::adjusted("Shaffer"))$test
    list(z = as.vector(s$tstat), p = as.vector(s$pvalues))
  },
  adj_westfall_multcomp = {
    set.seed(1)
    cf <- setNames(mr, paste0("a", seq_len(k)))
    g <- multcomp::glht(multcomp::parm(cf, diag(k) * k * (k + 1)/(12 *
      n)), linfct = multcomp::contrMat(setNames(rep(1, k), names(cf)),
      "Tukey"))
    s <- summary(g, test = multcomp::adjusted("Westfall"))$test
    list(p = as.vector(s$pvalues))
  },
  intscaled_friedman = stats::friedman.test(Xi),
  intscaled_quade = stats::quade.test(Xi),
  intscaled_quade_scmamp = scmamp::quadeTest(Xi),
  intscaled_aligned_ranks_scmamp = scmamp::friedmanAlignedRanksTest(Xi * k),
  intscaled_pair_wilcox_default = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(Xi[,
    pairs[i, 1]], Xi[, pairs[i, 2]], paired = TRUE))[c("statistic", "p.value",
    "method")]),
  intscaled_pair_wilcox_normal_nocc = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(Xi[,
    pairs[i, 1]], Xi[, pairs[i, 2]], paired = TRUE, exact = FALSE, correct = FALSE))[c("statistic",
    "p.value")]),
  pair_wilcox_digits_rank12 = lapply(seq_len(nrow(pairs)), function(i) suppressWarnings(wilcox.test(X[,
    pairs[i, 1]], X[, pairs[i, 2]], paired = TRUE, digits.rank = 12))[c("statistic",
    "p.value")])
)
