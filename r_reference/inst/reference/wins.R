# Wins over data sets in one metric: blocked analysis of variance, then pairs of adjusted
# means. Needs linear.R, studentized_range.R, adjust.R, mean_pairs.R.

# x: blocks x algorithms; dataset: one entry per block; method: "tukey" or "t" with
# adjust. omnibus: whether the analysis of variance must reject as well. Pairs (1,2),
# (1,3), ... data set after data set; wins row by row, row beats column.
wins_reference <- function(x, dataset, better, method, adjust, omnibus, alpha) {
  found <- lapply(unique(dataset), function(name) {
    rows <- x[dataset == name, , drop = FALSE]
    pairs <- mean_pairs_reference(rows, TRUE, NULL, method, adjust)
    first <- if (omnibus) blocked_p(rows) else 0
    list(
      p_value = pairs$p_value, p_pairs = pairs$p_adjusted, p_omnibus = first,
      p_adjusted = pmax(pairs$p_adjusted, first), means = pairs$means,
      value = if (better == "higher") -pairs$means else pairs$means
    )
  })
  counts <- lapply(found, function(one) beaten(one$value, one$p_adjusted, alpha))
  c(win_counts(counts), decisions_of(found, "means", omnibus))
}

# What the decisions were made from, table after table; value: what shows who is better,
# times sign.
decisions_of <- function(found, value, omnibus, sign = 1) {
  of <- function(name) unlist(lapply(found, `[[`, name))
  at <- utils::combn(length(found[[1]][[value]]), 2)
  ends <- lapply(1:2, function(end) {
    unlist(lapply(found, function(one) sign * one[[value]][at[end, ]]))
  })
  made <- list(
    p_value = of("p_value"), p_pairs = of("p_pairs"), p_adjusted = of("p_adjusted"),
    value_1 = unname(ends[[1]]), value_2 = unname(ends[[2]])
  )
  if (omnibus) made$p_omnibus <- rep(of("p_omnibus"), each = ncol(at))
  made
}

blocked_p <- function(x) {
  fit <- fit_scores(x, TRUE)
  if (no_error(fit)) {
    p <- exact_p(as.vector(x), as.vector(col(x)))
    return(if (p < 1) p else NaN)
  }
  table <- anova(fit)
  table[["Pr(>F)"]][nrow(table) - 1]
}

# Does row beat column? value: lower is better; p: of the pairs (1,2), (1,3), ...
beaten <- function(value, p, alpha) {
  a <- length(value)
  square <- matrix(NA, a, a)
  square[lower.tri(square)] <- p
  square <- pmin(square, t(square), na.rm = TRUE)
  outer(value, value, `<`) & !is.na(square) & square <= alpha
}

# Sum of the tables, row by row, and on how many of them a row beats any column.
win_counts <- function(beaten) {
  wins <- Reduce(`+`, beaten)
  ties <- length(beaten) - wins - t(wins)
  diag(ties) <- 0
  list(
    wins = as.vector(t(wins)), ties = as.vector(ties), losses = as.vector(wins),
    totals = Reduce(`+`, lapply(beaten, function(one) as.numeric(rowSums(one) > 0)))
  )
}
