# The vertical average of ROC curves over folds, from the definition.

# truth: 0 and 1; score; fold: a number per row. At every distinct false positive rate
# of any fold, the limits from the left and from the right, in turn.
mean_curve_reference <- function(truth, score, fold, level = 0.95) {
  curve <- function(f) {
    s <- score[fold == f]
    positive <- truth[fold == f] == 1
    cuts <- sort(unique(s), decreasing = TRUE)
    share <- function(of) c(0, vapply(cuts, function(cut) mean(s[of] >= cut), 0))
    list(x = share(!positive), y = share(positive))
  }
  curves <- lapply(unique(fold), curve)
  at <- sort(unique(unlist(lapply(curves, function(r) r$x))))
  height <- function(r, end) {
    y <- approx(r$x, r$y, at, ties = "ordered")$y
    for (k in which(at %in% r$x)) y[k] <- end(r$y[r$x == at[k]])
    y
  }
  heights <- vapply(curves, function(r) {
    c(rbind(height(r, min), height(r, max)))
  }, numeric(2 * length(at)))
  n <- length(curves)
  limits <- function(mean, error, lower_bound, upper_bound) {
    reach <- qt((1 + level) / 2, n - 1) * error
    list(low = pmax(mean - reach, lower_bound), high = pmin(mean + reach, upper_bound))
  }
  tpr <- rowMeans(heights)
  spread <- apply(heights, 1, sd)
  spread[apply(heights, 1, function(h) diff(range(h))) < 1e-12] <- NA # all folds agree
  around <- limits(tpr, spread / sqrt(n), 0, 1)
  areas <- vapply(curves, function(r) {
    sum(diff(r$x) * (head(r$y, -1) + tail(r$y, -1)) / 2)
  }, 0)
  about <- limits(mean(areas), sd(areas) / sqrt(n), 0, 1)
  list(
    fpr = rep(at, each = 2), tpr = tpr, conf_low = around$low,
    conf_high = around$high, area = mean(areas), area_low = about$low,
    area_high = about$high
  )
}
