# Cross-validated AUC by the influence function, case by case. Needs roc.R.

# truth: 0 and 1 per row; score: rows x one classifier; fold, repeat_number, case: whole
# numbers per row.
cv_auc_reference <- function(truth, score, fold, repeat_number, case, level = 0.95) {
  own <- cv_influence(truth, score[, 1], fold, repeat_number, case)
  error <- sqrt(mean(own$influence^2) / length(own$influence))
  limits <- own$estimate + c(-1, 1) * qnorm((1 + level) / 2) * error
  list(
    estimate = own$estimate, std_error = error,
    conf_low = max(0, limits[1]), conf_high = min(1, limits[2]), fold_area = own$areas
  )
}

# Differences of the columns of score; needs ranks.R.
cv_auc_pairs_reference <- function(truth, score, fold, repeat_number, case, control,
                                   level) {
  own <- lapply(seq_len(ncol(score)), function(j) {
    cv_influence(truth, score[, j], fold, repeat_number, case)
  })
  pairs <- compared_pairs(colnames(score), control)
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    one <- own[[pairs[i, 1]]]
    other <- own[[pairs[i, 2]]]
    difference <- one$estimate - other$estimate
    error <- sqrt(mean((one$influence - other$influence)^2) / length(one$influence))
    half <- if (error > 0) qnorm((1 + level) / 2) * error else NaN
    c(
      estimate = difference, std_error = error, conf_low = max(-1, difference - half),
      conf_high = min(1, difference + half)
    )
  })
  of_pairs(as.list(as.data.frame(do.call(rbind, rows))), pairs, colnames(score))
}

# The mean AUC of folds and repeats, and the influence of each case on it.
cv_influence <- function(truth, s, fold, repeat_number, case) {
  n <- length(unique(case))
  share <- c(mean(truth == 0), mean(truth == 1))
  half_wins <- function(x, others) mean((x > others) + (x == others) / 2)
  in_order <- function(values) factor(values, unique(values))
  by_repeat <- lapply(split(seq_along(s), in_order(repeat_number)), function(rows) {
    folds <- split(rows, in_order(fold[rows]))
    parts <- lapply(folds, function(i) {
      positive <- s[i][truth[i] == 1]
      negative <- s[i][truth[i] == 0]
      area <- mean(vapply(positive, half_wins, 0, others = negative))
      place <- vapply(i, function(j) {
        if (truth[j] == 1) half_wins(s[j], negative) else 1 - half_wins(s[j], positive)
      }, 0)
      scale <- sqrt(n / (length(folds) * length(i)))
      data.frame(
        case = case[i], influence = scale * (place - area) / share[truth[i] + 1],
        area = area, fold = fold[i]
      )
    })
    list(
      areas = vapply(parts, function(part) part$area[1], 0),
      mean = mean(vapply(parts, function(part) part$area[1], 0)),
      rows = do.call(rbind, parts)
    )
  })
  rows <- do.call(rbind, lapply(by_repeat, function(part) part$rows))
  influence <- tapply(rows$influence, rows$case, mean)
  list(
    influence = influence,
    estimate = mean(vapply(by_repeat, function(part) part$mean, 0)),
    areas = unlist(lapply(by_repeat, `[[`, "areas"), use.names = FALSE)
  )
}
