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

block_rows <- function(x, kept, labels) {
  matrix(x[kept, ], ncol = ncol(x), dimnames = labels)
}

# Means of the rows with the same id.
block_means <- function(x, ids, labels) {
  means <- rowsum(x, ids) / tabulate(ids)
  matrix(means, ncol = ncol(x), dimnames = labels)
}

# Numbers of pairs in a square: turned() makes that of B and A from that of A and B.
square_of <- function(x, algorithms, turned = identity) {
  pairs <- outer(algorithms, algorithms, paste, sep = " - ")
  found <- x[pairs]
  other <- turned(x[t(pairs)])
  found[is.na(found)] <- other[is.na(found)]
  matrix(unname(found), length(algorithms), dimnames = list(algorithms, algorithms))
}

# 1 if the algorithm of the row is better than that of the column, by estimates whose
# value of no difference is 0, 1 (ratios) or 0.5 (shares).
better_of <- function(estimate, algorithms, null, lower) {
  turned <- switch(as.character(null),
    "0" = function(x) -x,
    "1" = function(x) 1 / x,
    "0.5" = function(x) 1 - x
  )
  estimates <- square_of(estimate, algorithms, turned)
  better <- if (lower) estimates < null else estimates > null
  better[is.na(better)] <- FALSE
  better * 1
}
