# Wins over data sets, and over thresholds in them, in several metrics: MANOVA, T2 of all
# pairs, the lower total risk. Needs linear.R, responses.R, adjust.R, hotelling.R,
# manova.R, wins.R; for thresholds sign_grid.R.

# y: one row a cell, its row names the blocks; algorithm, table: one entry a row.
# kept, kept_omnibus: 1 for the metrics that count, one row a table and pair, or a table.
# 2 for a metric alone that does not vary: the p-value counts arrangements within blocks.
# weights: cost of each metric, one row a table.
vector_wins_reference <- function(y, algorithm, table, kept, kept_omnibus, weights,
                                  method, adjust, omnibus, alpha) {
  found <- vector_tables(
    y, algorithm, table, kept, kept_omnibus, weights, method, adjust, omnibus
  )
  counts <- lapply(found, function(one) beaten(one$risk, one$p_adjusted, alpha))
  c(win_counts(counts), p_values_of(found))
}

# n_datasets, n_thresholds: tables are in the order of data sets, thresholds in them.
# rule: "sign", a right-tailed sign test over the thresholds of a data set, or "any".
threshold_wins_reference <- function(y, algorithm, table, kept, kept_omnibus, weights,
                                     method, adjust, omnibus, alpha, n_datasets,
                                     n_thresholds, rule, threshold_adjust) {
  found <- vector_tables(
    y, algorithm, table, kept, kept_omnibus, weights, method, adjust, omnibus
  )
  each <- lapply(found, function(one) beaten(one$risk, one$p_adjusted, alpha))
  grids <- lapply(seq_len(n_datasets), function(i) {
    Reduce(`+`, each[(i - 1) * n_thresholds + seq_len(n_thresholds)])
  })
  counts <- lapply(grids, function(grid) {
    if (rule == "any") {
      return(grid > 0 & t(grid) == 0)
    }
    p <- sign_grid_reference(
      grid, n_thresholds, "split", "greater", threshold_adjust
    )$p_adjusted
    # Ordered pairs come row by row, and a matrix is filled column by column.
    off <- row(grid) != col(grid)
    columns <- matrix(FALSE, nrow(grid), nrow(grid))
    columns[off] <- !is.na(p) & p <= alpha
    t(columns)
  })
  c(win_counts(counts), p_values_of(found), list(
    grid = unlist(lapply(grids, function(grid) as.vector(t(grid))))
  ))
}

vector_tables <- function(y, algorithm, table, kept, kept_omnibus, weights, method,
                          adjust, omnibus) {
  algorithms <- unique(algorithm)
  pairs <- utils::combn(length(algorithms), 2)
  m <- ncol(pairs)
  lapply(seq_along(unique(table)), function(i) {
    rows <- table == unique(table)[i]
    cells <- y[rows, , drop = FALSE]
    names <- algorithm[rows]
    p <- vapply(seq_len(m), function(j) {
      two <- algorithms[pairs[, j]]
      counts <- kept[(i - 1) * m + j, ]
      if (any(counts == 2)) {
        return(exact_p(cells[names %in% two, counts == 2], names[names %in% two]))
      }
      hotelling_pair(cells, names, NULL, two[1], two[2], counts, method)$p_value
    }, 0)
    adjusted <- adjust_tested(p, adjust)
    first <- if (omnibus) wilks_p(cells, names, kept_omnibus[i, ]) else 0
    means <- vapply(algorithms, function(one) {
      colMeans(cells[names == one, , drop = FALSE])
    }, numeric(ncol(y)))
    list(
      p_value = p, p_adjusted = pmax(adjusted, first),
      risk = as.vector(weights[i, ] %*% matrix(means, ncol(y)))
    )
  })
}

p_values_of <- function(found) {
  list(
    p_value = unlist(lapply(found, `[[`, "p_value")),
    p_adjusted = unlist(lapply(found, `[[`, "p_adjusted"))
  )
}

# Wilks' Lambda of the blocked model with Rao's F, of the metrics that count.
wilks_p <- function(cells, algorithm, kept) {
  if (any(kept == 2)) {
    return(exact_p(cells[, kept == 2], algorithm))
  }
  if (!any(kept == 1)) {
    return(NaN)
  }
  manova_reference(cells[, kept == 1, drop = FALSE], algorithm, TRUE)$p_value[1]
}
