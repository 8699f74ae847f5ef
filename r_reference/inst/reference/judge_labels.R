# Means of people's labels of some items with a judge's scores of all: one slope for all
# algorithms, by lm() within items; own derivation of the variances (Cochran 1977,
# sec. 12.6; half a pseudo-label after Agresti and Min 2005). Needs ranks.R, adjust.R.

# y: items x algorithms, NaN where nobody labelled; judge: the same, whole; stratum: of
# each item, or NULL. adjust "": adjusted p-values are of draws, and not repeated here.
judge_labels_reference <- function(y, judge, stratum = NULL, zero_or_one = FALSE,
                                   adjust = "holm", control = "", alpha = 0.05,
                                   level = NaN) {
  strata <- judged_strata(y, judge, stratum)
  slope <- judged_slope(strata)
  parts <- lapply(strata, judged_part, slope, zero_or_one, nrow(y))
  both <- judged_populations(parts, nrow(y))
  names <- colnames(y)
  means <- judged_means(parts, both, slope, zero_or_one, range(judge), alpha, nrow(y))
  made <- c(list(slope = slope), setNames(means, paste0("means_", base::names(means))))
  if (length(names) == 1) {
    return(made)
  }
  pairs <- compared_pairs(names, control)
  rows <- lapply(both, judged_pairs, pairs, adjust, alpha, level)
  columns <- rows[[1]]
  columns$judge_alone <- both[[1]]$judge[pairs[, 1]] - both[[1]]$judge[pairs[, 2]]
  together <- lapply(setNames(nm = base::names(rows[[1]])), function(column) {
    unname(c(rows[[1]][[column]], rows[[2]][[column]]))
  })
  base::names(together) <- paste0("populations_", base::names(together))
  c(of_pairs(columns, pairs, names), together, made)
}

# The labelled rows of each stratum, and the judge's means of all its items.
judged_strata <- function(y, judge, stratum) {
  of_item <- if (is.null(stratum)) rep(1, nrow(y)) else stratum
  lapply(sort(unique(of_item)), function(h) {
    own <- of_item == h
    has <- own & !is.na(y[, 1])
    list(
      y = y[has, , drop = FALSE], f = judge[has, , drop = FALSE],
      all = colMeans(judge[own, , drop = FALSE]), items = sum(own)
    )
  })
}

# The coefficient of f in lm(y ~ stratum:item + stratum:model + f): both are centred
# first, as lm() would do with a column for every item.
judged_slope <- function(strata) {
  within <- function(x) {
    x <- sweep(x, 2, colMeans(x))
    if (ncol(x) > 1) x - rowMeans(x) else x
  }
  y <- unlist(lapply(strata, function(part) within(part$y)))
  f <- unlist(lapply(strata, function(part) within(part$f)))
  size <- sum(unlist(lapply(strata, function(part) part$f^2)))
  if (sum(f^2) <= 1e-24 * size) 0 else unname(coef(lm(y ~ 0 + f)))
}

judged_part <- function(part, slope, zero_or_one, total) {
  n <- nrow(part$y)
  k <- ncol(part$y)
  m <- n + zero_or_one
  half <- diag(if (zero_or_one) 0.5 else 0, k)
  y <- sweep(part$y, 2, colMeans(part$y))
  e <- y - slope * sweep(part$f, 2, colMeans(part$f))
  weight <- part$items / total
  left <- weight^2 * (1 - n / part$items) / m
  c(part, list(
    n = n, weight = weight, df = n - 2,
    label = colMeans(part$y),
    estimate = colMeans(part$y) + slope * (part$all - colMeans(part$f)),
    labels = left * (crossprod(e) + half) / (m - 2),
    alone = left * (crossprod(y) + half) / (m - 1),
    items_vary = weight^2 * (crossprod(y) + half) / ((m - 1) * part$items)
  ))
}

# Sums over strata for items like these, then for these items.
judged_populations <- function(parts, total) {
  weight <- vapply(parts, function(part) part$weight, 0)
  over <- function(name) Reduce(`+`, lapply(parts, function(p) p$weight * p[[name]]))
  estimate <- over("estimate")
  apart <- lapply(parts, function(part) part$estimate - estimate)
  between <- Reduce(`+`, Map(function(w, d) w * outer(d, d), weight, apart)) / total
  made <- function(sampled) {
    list(
      estimate = estimate, judge = over("all"), label = over("label"),
      parts = lapply(parts, function(p) p$labels + sampled * p$items_vary),
      between = sampled * between, df = vapply(parts, function(p) p$df, 0),
      alone = Reduce(`+`, lapply(parts, function(p) p$alone + sampled * p$items_vary)) +
        sampled * between
    )
  }
  list(made(1), made(0))
}

judged_pairs <- function(population, pairs, adjust, alpha, level) {
  difference <- function(x) x[pairs[, 1]] - x[pairs[, 2]]
  variance <- function(v) diag(v)[pairs[, 1]] + diag(v)[pairs[, 2]] - 2 * v[pairs]
  own <- vapply(population$parts, variance, numeric(nrow(pairs)))
  own <- matrix(own, nrow(pairs))
  df <- judged_df(own, population$df)
  estimate <- unname(difference(population$estimate))
  total <- rowSums(own) + variance(population$between)
  error <- sqrt(total)
  t <- estimate / error
  columns <- list(
    estimate = estimate, std_error = error, statistic = t, df = df,
    p_value = 2 * pt(-abs(t), df), gain = 1 - total / variance(population$alone)
  )
  if (adjust == "") {
    return(columns)
  }
  # Of one pair max-T is the t test itself.
  named <- if (adjust == "max-t") "none" else adjust
  columns <- with_decisions(columns, named, alpha, NaN)
  half <- qt(alpha / nrow(pairs) / 2, df, lower.tail = FALSE) * error
  columns$joint_low <- estimate - half
  columns$joint_high <- estimate + half
  columns
}

# Satterthwaite's degrees of freedom of sums over the columns.
judged_df <- function(variances, df) {
  if (length(df) == 1) {
    return(rep(df, nrow(variances)))
  }
  rowSums(variances)^2 / rowSums(sweep(variances^2, 2, df, "/"))
}

# Means of 0/1 labels have pseudo-labels of weight 1/2: four at the ends of the judge's
# scale, or in a stratum two at the judge's mean. Of one algorithm they refit the slope.
judged_means <- function(parts, both, slope, zero_or_one, scale, alpha, total) {
  k <- length(both[[1]]$estimate)
  rows <- lapply(seq_len(k), function(a) {
    each <- lapply(parts, function(part) {
      y <- part$y[, a]
      f <- part$f[, a]
      weight <- rep(1, length(y))
      if (zero_or_one) {
        at <- if (length(parts) == 1) rep(scale, 2) else rep(mean(f), 2)
        y <- c(y, if (length(at) == 4) c(0, 0, 1, 1) else c(0, 1))
        f <- c(f, at)
        weight <- c(weight, rep(0.5, length(at)))
      }
      m <- sum(weight)
      df <- m - 2
      y_mean <- sum(weight * y) / m
      f_mean <- sum(weight * f) / m
      spread <- sum(weight * (f - f_mean)^2)
      b <- slope
      extra <- 0
      if (k == 1 && zero_or_one) {
        b <- if (spread > 0) sum(weight * (y - y_mean) * (f - f_mean)) / spread else 0
        extra <- if (spread > 0) (part$all[a] - f_mean)^2 / spread else 0
      }
      rest <- sum(weight * (y - y_mean - b * (f - f_mean))^2) / df
      vary <- part$weight^2 * sum(weight * (y - y_mean)^2) / (m - 1) / part$items
      c(
        weight = part$weight, centre = y_mean + b * unname(part$all[a] - f_mean),
        own = part$weight^2 * rest * (1 / m + unname(extra)) * (1 - part$n / part$items),
        vary = vary, df = df
      )
    })
    each <- do.call(rbind, each)
    centre <- sum(each[, "weight"] * each[, "centre"])
    between <- sum(each[, "weight"] * (each[, "centre"] - centre)^2) / total
    vapply(1:0, function(sampled) {
      v <- each[, "own"] + sampled * each[, "vary"]
      df <- judged_df(matrix(v, 1), each[, "df"])
      error <- sqrt(sum(v) + sampled * between)
      half <- qt(alpha / 2, df, lower.tail = FALSE) * error
      limits <- centre + c(-half, half)
      if (zero_or_one) limits <- pmin(1, pmax(0, limits))
      c(error, df, limits)
    }, numeric(4))
  })
  of <- function(at) c(vapply(rows, `[`, 0, at, 1), vapply(rows, `[`, 0, at, 2))
  twice <- function(name) unname(c(both[[1]][[name]], both[[2]][[name]]))
  gain <- function(p) 1 - diag(Reduce(`+`, p$parts) + p$between) / diag(p$alone)
  list(
    estimate = twice("estimate"), std_error = of(1), df = unname(of(2)),
    conf_low = of(3), conf_high = of(4), judge_mean = twice("judge"),
    label_mean = twice("label"), gain = unname(c(gain(both[[1]]), gain(both[[2]])))
  )
}

# Second witness: lm() with a column for every item, and one pair's standard error for
# these items by its residuals.
judge_labels_lm <- function(y, judge) {
  has <- !is.na(y[, 1])
  long <- data.frame(
    y = as.vector(y[has, ]), f = as.vector(judge[has, ]),
    item = factor(as.vector(row(y[has, ]))), model = factor(as.vector(col(y[has, ])))
  )
  slope <- unname(coef(lm(y ~ item + model + f, long))["f"])
  estimate <- colMeans(y[has, ]) + slope * (colMeans(judge) - colMeans(judge[has, ]))
  list(slope = slope, means = unname(estimate))
}
