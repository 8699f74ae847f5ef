# Cross-validated AUC by the influence function, case by case. Needs roc.R.

# truth: 0 and 1 per row; score: rows x one classifier; fold, repeat_number, case: whole
# numbers per row.
cv_auc_reference <- function(truth, score, fold, repeat_number, case, level = 0.95) {
  s <- score[, 1]
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
  estimate <- mean(vapply(by_repeat, function(part) part$mean, 0))
  error <- sqrt(mean(influence^2) / n)
  limits <- estimate + c(-1, 1) * qnorm((1 + level) / 2) * error
  list(
    estimate = estimate, std_error = error,
    conf_low = max(0, limits[1]), conf_high = min(1, limits[2]),
    fold_area = unlist(lapply(by_repeat, `[[`, "areas"), use.names = FALSE)
  )
}
