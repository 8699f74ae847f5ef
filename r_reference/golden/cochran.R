# cochran_*.json: Cochran's Q of successes and failures, and McNemar's test of the pairs.
# See remake.R.

given <- function(input, outputs) {
  B <- rows(input$B)
  long <- data.frame(
    y = as.vector(B), alg = factor(as.vector(col(B))), id = factor(as.vector(row(B)))
  )
  list(B = B, long = long, pr = t(combn(ncol(B), 2)))
}

calls <- alist(
  friedman_test_on_01 = friedman.test(B),
  cochran_rstatix = {
    r <- rstatix::cochran_qtest(long, y ~ alg | id)
    list(n = r$n, statistic = as.vector(r$statistic), df = r$df, p = r$p)
  },
  coin_symmetry = {
    s <- coin::symmetry_test(y ~ alg | id, data = transform(long, y = y),
      teststat = "quadratic")
    list(statistic = as.vector(coin::statistic(s)), p = as.vector(coin::pvalue(s)))
  },
  mantelhaen = {
    m <- mantelhaen.test(table(long$alg, long$y, long$id))
    m
  },
  RVAideMemoire = {
    r <- RVAideMemoire::cochran.qtest(y ~ alg | id, data = long)
    list(statistic = as.vector(r$statistic), df = as.vector(r$parameter),
      p = as.vector(r$p.value))
  },
  by_formula = {
    k <- ncol(B)
    G <- colSums(B)
    L <- rowSums(B)
    q <- (k - 1) * (k * sum(G^2) - sum(G)^2)/(k * sum(L) - sum(L^2))
    list(Q = q, df = k - 1, p = pchisq(q, k - 1, lower.tail = FALSE))
  },
  pairs = pr,
  mcnemar_exact_binom = apply(pr, 1, function(q) {
    b <- sum(B[, q[1]] > B[, q[2]])
    c_ <- sum(B[, q[1]] < B[, q[2]])
    if (b + c_ == 0)
      1
    else binom.test(b, b + c_)$p.value
  }),
  mcnemar_chi2_correct = lapply(seq_len(nrow(pr)), function(i) mcnemar.test(table(factor(B[, pr[i,
    1]], 0:1), factor(B[, pr[i, 2]], 0:1)))[c("statistic", "p.value")]),
  mcnemar_chi2_nocorrect = lapply(seq_len(nrow(pr)), function(i) mcnemar.test(table(factor(B[, pr[i,
    1]], 0:1), factor(B[, pr[i, 2]], 0:1)), correct = FALSE)[c("statistic",
    "p.value")])
)
