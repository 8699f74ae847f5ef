# roc_*.json: AUCs, DeLong's variances and tests by pROC, areas under precision-recall
# curves by PRROC and by hand. See remake.R.

suppressMessages(library(pROC))

given <- function(input, outputs) {
  y <- unlist(input$y)
  S <- rows(input$scores)
  # The random halves of the unpaired test are stored.
  halves <- lapply(outputs$split_for_unpaired$value, unlist)
  list(
    y = y, S = S, h1 = halves$idx1, h2 = halves$idx2, pr = t(combn(ncol(S), 2)),
    RR = lapply(seq_len(ncol(S)), function(j) {
      roc(y, S[, j], quiet = TRUE, direction = "<", levels = c(0, 1))
    })
  )
}

calls <- alist(
  auc = vapply(RR, function(r) as.numeric(auc(r)), 0),
  var_delong = vapply(RR, function(r) pROC::var(r, method = "delong"), 0),
  ci95_delong = lapply(RR, function(r) as.vector(ci.auc(r, method = "delong", conf.level = 0.95))),
  ci90_delong = lapply(RR, function(r) as.vector(ci.auc(r, method = "delong", conf.level = 0.9))),
  pairs = pr,
  cov_delong = apply(pr, 1, function(q) pROC::cov(RR[[q[1]]], RR[[q[2]]], method = "delong")),
  roc_test_delong_paired = lapply(seq_len(nrow(pr)), function(i) {
    t <- roc.test(RR[[pr[i, 1]]], RR[[pr[i, 2]]], method = "delong", paired = TRUE)
    list(Z = as.vector(t$statistic), p = as.vector(t$p.value), auc = as.vector(t$estimate),
      conf.int = as.vector(t$conf.int))
  }),
  roc_test_delong_paired_less = lapply(seq_len(nrow(pr)), function(i) {
    t <- roc.test(RR[[pr[i, 1]]], RR[[pr[i, 2]]], method = "delong", paired = TRUE,
      alternative = "less")
    list(Z = as.vector(t$statistic), p = as.vector(t$p.value))
  }),
  split_for_unpaired = list(idx1 = h1, idx2 = h2),
  roc_test_delong_unpaired_model1_idx1_vs_model2_idx2 = {
    t <- roc.test(roc(y[h1], S[h1, 1], quiet = TRUE, direction = "<", levels = c(0,
      1)), roc(y[h2], S[h2, 2], quiet = TRUE, direction = "<", levels = c(0,
      1)), method = "delong", paired = FALSE)
    list(D = as.vector(t$statistic), df = as.vector(t$parameter), p = as.vector(t$p.value),
      auc = as.vector(t$estimate))
  },
  hand_trapezoid_wilcoxon_auc = vapply(seq_len(ncol(S)), function(j) {
    w <- suppressWarnings(wilcox.test(S[y == 1, j], S[y == 0, j], exact = FALSE)$statistic)
    as.numeric(w)/(sum(y == 1) * sum(y == 0))
  }, 0),
  pr_auc_PRROC_integral_and_davis_goadrich = lapply(seq_len(ncol(S)), function(j) {
    p <- PRROC::pr.curve(scores.class0 = S[y == 1, j], scores.class1 = S[y ==
      0, j], dg.compute = length(y) <= 600)
    list(auc.integral = p$auc.integral, auc.davis.goadrich = p$auc.davis.goadrich)
  }),
  roc_auc_PRROC = vapply(seq_len(ncol(S)), function(j) PRROC::roc.curve(scores.class0 = S[y ==
    1, j], scores.class1 = S[y == 0, j])$auc, 0),
  average_precision_by_hand_in_R = vapply(seq_len(ncol(S)), function(j) {
    o <- order(-S[, j])
    s <- S[o, j]
    tp <- cumsum(y[o])
    k <- which(c(diff(s) != 0, TRUE))
    pre <- tp[k]/k
    rec <- tp[k]/sum(y)
    sum(diff(c(0, rec)) * pre)
  }, 0),
  pr_trapezoid_by_hand_in_R_anchor_first_precision = vapply(seq_len(ncol(S)), function(j) {
    o <- order(-S[, j])
    s <- S[o, j]
    tp <- cumsum(y[o])
    k <- which(c(diff(s) != 0, TRUE))
    pre <- tp[k]/k
    rec <- tp[k]/sum(y)
    r <- c(0, rec)
    p <- c(1, pre)
    sum(diff(r) * (head(p, -1) + tail(p, -1))/2)
  }, 0)
)
