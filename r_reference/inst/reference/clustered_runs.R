# Runs on cases in clusters: strata by ave(), components by moments. Second witnesses:
# aov() with strata, and REML by lme4 for clusters of one size.

# x: one row per cell, the algorithms of a case in a row, one column per run;
# cluster: the number of each case's cluster.
clustered_runs_reference <- function(x, algorithms, cluster) {
  a <- algorithms
  r <- ncol(x)
  n <- length(cluster)
  sizes <- as.vector(table(cluster))
  g <- length(sizes)
  k <- (n - sum(sizes^2) / n) / (g - 1)
  cells <- matrix(rowMeans(x), n, a, byrow = TRUE)
  cases <- rowMeans(cells)
  of_clusters <- ave(cases, cluster)
  contrasts <- cells - cases
  means <- colMeans(contrasts)
  in_clusters <- apply(contrasts, 2, function(column) ave(column, cluster))
  squares <- c(
    a * r * sum((of_clusters - mean(cases))^2), a * r * sum((cases - of_clusters)^2),
    n * r * sum(means^2), r * sum(sweep(in_clusters, 2, means)^2),
    r * sum((contrasts - in_clusters)^2), sum((x - rowMeans(x))^2)
  )
  df <- c(
    g - 1, n - g, a - 1, (a - 1) * (g - 1), (a - 1) * (n - g), a * n * (r - 1)
  )
  ms <- squares / df
  parts <- c(
    (ms[1] - ms[2] - ms[4] + ms[5]) / (a * r * k), (ms[2] - ms[5]) / (a * r),
    (ms[4] - ms[5]) / (r * k), (ms[5] - ms[6]) / r, ms[6]
  )
  ratio <- g * sum((sizes / n)^2)
  added <- function(clusters, cases, runs) {
    pmax(0, parts[3:5]) / (clusters * c(1 / ratio, cases, cases * runs))
  }
  error <- function(...) sqrt(2 * sum(added(...)))
  here <- added(g, n / g, r)
  list(
    df = df, sum_sq = squares, mean_sq = ms,
    statistic = c(ms[4] / ms[5], ms[5] / ms[6]),
    p_value = c(
      pf(ms[4] / ms[5], df[4], df[5], lower.tail = FALSE),
      pf(ms[5] / ms[6], df[5], df[6], lower.tail = FALSE)
    ),
    components = parts,
    share = here / sum(here),
    std_error = error(g, n / g, r),
    planning = c(
      error(g, n / g, r), error(g, n / g, 2 * r), error(g, n / g, Inf),
      error(g, 2 * n / g, r), error(g, Inf, r),
      error(2 * g, n / g, r), error(4 * g, n / g, r)
    )
  )
}

cluster_cells <- function(x, algorithms, cluster) {
  n <- length(cluster)
  data.frame(
    score = as.vector(x),
    algorithm = factor(rep(rep(seq_len(algorithms), n), ncol(x))),
    case = factor(rep(rep(seq_len(n), each = algorithms), ncol(x))),
    cluster = factor(rep(rep(cluster, each = algorithms), ncol(x)))
  )
}

# The strata by aov(): clusters of any sizes. x as above.
clustered_runs_aov <- function(x, algorithms, cluster) {
  terms <- "Error(cluster + case + cluster:algorithm + case:algorithm)"
  form <- as.formula(paste("score ~ algorithm +", terms))
  strata <- summary(aov(form, data = cluster_cells(x, algorithms, cluster)))
  # The last row of a stratum is its residuals; strata stand in the order of the formula.
  columns <- function(column) {
    vapply(strata, function(one) tail(one[[1]][[column]], 1), 0, USE.NAMES = FALSE)
  }
  list(df = columns("Df"), sum_sq = columns("Sum Sq"))
}

# Components by REML, if all clusters have one size and no estimate is 0.
clustered_runs_lme4 <- function(x, algorithms, cluster) {
  form <- score ~ algorithm + (1 | cluster) + (1 | case) + (1 | cluster:algorithm) +
    (1 | case:algorithm)
  fit <- lme4::lmer(form,
    data = cluster_cells(x, algorithms, cluster),
    control = lme4::lmerControl("bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
  )
  parts <- as.data.frame(lme4::VarCorr(fit))
  groups <- c("cluster", "case", "cluster:algorithm", "case:algorithm", "Residual")
  list(components = parts$vcov[match(groups, parts$grp)])
}
