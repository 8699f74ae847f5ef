# Scores as the calls take them, from the file of scores in the folder of a report.
#
# The file has one row for each block, algorithm and run, in this order: first the
# columns of labels, then one column for each metric. An empty cell is a missing score.

read_scores <- function(folder, n_labels, n_metrics) {
  files <- file.path(folder, "data", c("scores.csv", "scores.csv.gz"))
  utils::read.csv(
    files[file.exists(files)][1],
    colClasses = c(rep("character", n_labels), rep("numeric", n_metrics)),
    na.strings = "", quote = "\"", comment.char = "", check.names = FALSE,
    row.names = NULL, encoding = "UTF-8"
  )
}

# A row for each block, a column for each algorithm: scores of one metric, which is the
# number of its column; means of the runs that a cell has.
score_matrix <- function(scores, metric, n_algorithms, n_runs, labels = NULL) {
  cells <- matrix(scores[[metric]], nrow = n_runs)
  means <- colMeans(cells, na.rm = n_runs > 1)
  matrix(means, ncol = n_algorithms, byrow = TRUE, dimnames = labels)
}

# The same with a row for each block and run.
run_matrix <- function(scores, metric, n_algorithms, n_runs, labels = NULL) {
  n_blocks <- nrow(scores) / n_runs / n_algorithms
  cells <- array(scores[[metric]], c(n_runs, n_algorithms, n_blocks))
  matrix(aperm(cells, c(1, 3, 2)), ncol = n_algorithms, dimnames = labels)
}

# The data set, or the group, of each block: 1 of the first one in the file, and so on.
block_ids <- function(scores, column, rows_per_block) {
  label <- scores[[column]][seq(1, nrow(scores), by = rows_per_block)]
  match(label, unique(label))
}

# The labels of many blocks: names of rows, all different.
block_labels <- function(scores, rows_per_block) {
  as.character(scores$block[seq(1, nrow(scores), by = rows_per_block)])
}

block_rows <- function(x, kept, labels) {
  matrix(x[kept, ], ncol = ncol(x), dimnames = labels)
}

# Means of the rows with the same id.
block_means <- function(x, ids, labels) {
  ids <- match(ids, unique(ids))
  means <- rowsum(x, ids) / tabulate(ids)
  matrix(means, ncol = ncol(x), dimnames = labels)
}

# Sums of the rows with the same id, such as clusters of cases.
block_sums <- function(x, ids, labels) {
  matrix(rowsum(x, ids), ncol = ncol(x), dimnames = labels)
}

some_columns <- function(x, columns, labels) {
  matrix(x[, columns], nrow(x), dimnames = labels)
}

# A row for each block and algorithm, a column for each run.
cells_by_run <- function(scores, metric, n_algorithms, n_runs) {
  matrix(scores[[metric]], ncol = n_runs, byrow = TRUE)
}

# A row for each block, a column for each algorithm and run.
blocks_by_cell <- function(scores, metric, n_algorithms, n_runs) {
  matrix(scores[[metric]], ncol = n_algorithms * n_runs, byrow = TRUE)
}

# A row for each block and algorithm that has all metrics, a column for each metric.
# ids: then a row is the mean of the blocks with the same id.
responses_of <- function(scores, metrics, n_algorithms, n_runs, labels = NULL,
                         rows = TRUE, ids = NULL) {
  y <- sapply(metrics, function(metric) {
    x <- score_matrix(scores, metric, n_algorithms, n_runs)
    x <- x[rows, , drop = FALSE]
    t(if (is.null(ids)) x else block_means(x, ids, NULL))
  })
  y <- y[stats::complete.cases(y), , drop = FALSE]
  matrix(y, ncol = length(metrics), dimnames = labels)
}
