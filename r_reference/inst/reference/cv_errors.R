# Intervals of the error of one learner from one cross-validation; own derivation.

# loss: per row; fold, repeat_number: whole numbers per row; overlap: the factor c of
# n_test / n_train; most_folds: folds of one cross-validation up to which it is known.
cv_error_intervals_reference <- function(loss, fold, repeat_number, overlap, most_folds,
                                         level) {
  means <- tapply(loss, paste(repeat_number, fold), mean)
  repeats <- length(unique(repeat_number))
  folds <- length(means) / repeats
  row <- function(estimate, error, df) {
    half <- if (error > 0) qt((1 + level) / 2, df) * error else NaN
    c(
      estimate = estimate, std_error = error, df = df, conf_low = estimate - half,
      conf_high = estimate + half
    )
  }
  rows <- list()
  if (repeats == 1) {
    n <- length(loss)
    rows[[1]] <- row(mean(loss), sqrt(var(loss) * (n - 1)) / n, Inf)
  }
  if (repeats > 1 || folds <= most_folds) {
    factor <- 1 / length(means) + overlap / (folds - 1)
    error <- sqrt(var(means) * factor)
    rows[[length(rows) + 1]] <- row(mean(means), error, length(means) - 1)
  }
  as.list(as.data.frame(do.call(rbind, rows)))
}
