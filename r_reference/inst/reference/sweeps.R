# Counts at several thresholds as the calls take them, and which of them count.

# A row for each data set, threshold, block and algorithm. columns: numbers of columns of
# scores, a row for each metric, a column for each threshold; ids: data set of each block.
sweep_responses <- function(scores, columns, n_algorithms, ids, labels) {
  y <- lapply(unique(ids), function(k) {
    lapply(seq_len(ncol(columns)), function(threshold) {
      sapply(columns[, threshold], function(column) {
        t(score_matrix(scores, column, n_algorithms, 1)[ids == k, , drop = FALSE])
      })
    })
  })
  y <- do.call(rbind, unlist(y, recursive = FALSE))
  matrix(y, ncol = nrow(columns), dimnames = labels)
}

# Which columns of residuals do not depend on those before them: 1, else 0.
independent_columns <- function(residuals, y) {
  basis <- matrix(0, nrow(residuals), 0)
  vapply(seq_len(ncol(residuals)), function(j) {
    v <- residuals[, j]
    for (turn in 1:2) v <- v - basis %*% crossprod(basis, v)
    length <- sqrt(sum(v^2))
    counts <- length > 1e-9 * sqrt(sum(y[, j]^2))
    if (counts) basis <<- cbind(basis, v / length)
    as.numeric(counts)
  }, 0)
}

# Metrics that count in the differences of each pair, a row for each table and pair. 2: a
# metric alone whose difference does not vary, so that arrangements are counted. tested:
# how many of the first columns are tested.
kept_of_pairs <- function(y, table, algorithms, tested, labels) {
  pairs <- utils::combn(algorithms, 2)
  kept <- lapply(unique(table), function(one) {
    rows <- y[table == one, seq_len(tested), drop = FALSE]
    cells <- array(rows, c(algorithms, nrow(rows) / algorithms, tested))
    lapply(seq_len(ncol(pairs)), function(j) {
      d <- matrix(cells[pairs[1, j], , ] - cells[pairs[2, j], , ], ncol = tested)
      mean <- colMeans(d)
      apart <- sweep(d, 2, mean)
      alone <- independent_columns(apart, d)
      both <- independent_columns(rbind(sqrt(nrow(d)) * mean, apart), rbind(0 * mean, d))
      rank <- sum(alone)
      df <- nrow(d) - 1
      bad <- rank == 0 || sum(both) > rank || df - rank + 1 <= 0 ||
        (rank < tested && rank >= df)
      if (bad) alone <- 0 * alone
      if (tested == 1 && rank == 0 && sum(both) > 0) alone <- 2
      c(alone, rep(0, ncol(y) - tested))
    })
  })
  kept <- do.call(rbind, unlist(kept, recursive = FALSE))
  matrix(kept, ncol = ncol(y), dimnames = labels)
}

# The same for the test of all algorithms, a row for each table.
kept_of_tables <- function(y, table, algorithms, tested, labels) {
  kept <- lapply(unique(table), function(one) {
    rows <- y[table == one, seq_len(tested), drop = FALSE]
    block <- rep(seq_len(nrow(rows) / algorithms), each = algorithms)
    algorithm <- rep(seq_len(algorithms), nrow(rows) / algorithms)
    within <- apply(rows, 2, function(x) x - ave(x, block))
    within <- matrix(within, ncol = tested)
    apart <- matrix(apply(within, 2, function(x) x - ave(x, algorithm)), ncol = tested)
    alone <- independent_columns(apart, rows)
    differ <- any(independent_columns(within, rows) == 1)
    if (tested == 1 && alone == 0 && differ) alone <- 2
    c(alone, rep(0, ncol(y) - tested))
  })
  matrix(do.call(rbind, kept), ncol = ncol(y), dimnames = labels)
}
