# Wins over data sets, and over thresholds in them, in several metrics: MANOVA, T2 of all
# pairs, the lower total risk. Needs linear.R, responses.R, adjust.R, hotelling.R,
# manova.R, wins.R; for thresholds sign_grid.R.

# y: one row per cell, its row names the blocks; algorithm, table: one entry per row.
# kept, kept_omnibus: 1 for the metrics that count, one row per table and pair, or a
# table. 2 for a metric alone that does not vary: the p-value counts arrangements within
# blocks. weights: cost of each metric, one row per table.
vector_wins_reference <- function(y, algorithm, table, kept, kept_omnibus, weights,
                                  method, adjust, omnibus, alpha, sign = 1) {
  found <- vector_tables(
    y, algorithm, table, kept, kept_omnibus, weights, method, adjust, omnibus
  )
  counts <- lapply(found, function(one) beaten(one$risk, one$p_adjusted, alpha))
  c(win_counts(counts), decisions_of(found, "risk", omnibus, sign))
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
  signs <- lapply(grids, function(grid) {
    # Ordered pairs come row by row, and a matrix is filled column by column.
    off <- row(grid) != col(grid)
    found <- if (rule == "sign") {
      sign_grid_reference(grid, n_thresholds, "split", "greater", threshold_adjust)
    }
    lapply(c(p_value = "p_value", p_adjusted = "p_adjusted"), function(name) {
      columns <- matrix(NaN, nrow(grid), nrow(grid))
      if (rule == "sign") columns[off] <- found[[name]]
      t(columns)
    })
  })
  counts <- lapply(seq_along(grids), function(i) {
    grid <- grids[[i]]
    p <- signs[[i]]$p_adjusted
    if (rule == "any") grid > 0 & t(grid) == 0 else !is.na(p) & p <= alpha
  })
  # One number per data set and pair (1,2), (1,3), ...: of the first, or of the
  # second.
  each_pair <- function(squares) {
    unlist(lapply(squares, function(square) t(square)[lower.tri(square)]))
  }
  of <- function(name, turned = FALSE) {
    each_pair(lapply(signs, function(one) if (turned) t(one[[name]]) else one[[name]]))
  }
  c(win_counts(counts), decisions_of(found, "risk", omnibus), list(
    grid = unlist(lapply(grids, function(grid) as.vector(t(grid)))),
    won = each_pair(grids), lost = each_pair(lapply(grids, t)),
    tied = n_thresholds - each_pair(grids) - each_pair(lapply(grids, t)),
    sign_p = of("p_value"), sign_p_adjusted = of("p_adjusted"),
    sign_p_other = of("p_value", TRUE), sign_p_adjusted_other = of("p_adjusted", TRUE),
    wilks = unlist(lapply(found, `[[`, "wilks")),
    wilks_p = unlist(lapply(found, `[[`, "p_wilks")),
    dimension = vapply(found, function(one) dimension_at(one$p_dimensions, alpha), 0),
    risk = unlist(lapply(found, `[[`, "risk"))
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
    wilks <- wilks_of_cells(cells, names, kept_omnibus[i, ])
    first <- if (omnibus) wilks$p_value else 0
    means <- vapply(algorithms, function(one) {
      colMeans(cells[names == one, , drop = FALSE])
    }, numeric(ncol(y)))
    list(
      p_value = p, p_pairs = adjusted, p_omnibus = first,
      p_adjusted = pmax(adjusted, first), wilks = wilks$statistic,
      p_wilks = wilks$p_value, p_dimensions = wilks$p_dimensions,
      risk = as.vector(weights[i, ] %*% matrix(means, ncol(y)))
    )
  })
}

# The first number of dimensions that is not rejected, or all; NaN without a test.
dimension_at <- function(p, alpha) {
  p <- p[!is.nan(p)]
  if (length(p) == 0) {
    return(NaN)
  }
  if (any(p > alpha)) which(p > alpha)[1] - 1 else length(p)
}

# Wilks' Lambda of the blocked model with Rao's F, and Bartlett's tests of dimensions, of
# the metrics that count.
wilks_of_cells <- function(cells, algorithm, kept) {
  if (any(kept == 2)) {
    p <- exact_p(cells[, kept == 2], algorithm)
    return(list(statistic = NaN, p_value = p, p_dimensions = p))
  }
  if (!any(kept == 1)) {
    return(list(statistic = NaN, p_value = NaN, p_dimensions = NaN))
  }
  cells <- cells[, kept == 1, drop = FALSE]
  tests <- manova_reference(cells, algorithm, TRUE)
  dimensions <- dimensionality_reference(cells, algorithm, TRUE)
  list(
    statistic = tests$statistic[1], p_value = tests$p_value[1],
    p_dimensions = dimensions$p_value
  )
}
