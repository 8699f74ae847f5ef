# Columns of a linear model, from the file in the folder of a report; all are text here.

read_columns <- function(folder) {
  files <- file.path(folder, "data", c("table.csv", "table.csv.gz"))
  utils::read.csv(
    files[file.exists(files)][1],
    colClasses = "character", na.strings = character(), quote = "\"",
    comment.char = "", check.names = FALSE, row.names = NULL, encoding = "UTF-8"
  )
}

# Weights of all differences of two of n means: a row for each.
pairs_of_means <- function(n) {
  pairs <- utils::combn(n, 2)
  rows <- seq_len(ncol(pairs))
  weights <- matrix(0, ncol(pairs), n)
  weights[cbind(rows, pairs[1, ])] <- 1
  weights[cbind(rows, pairs[2, ])] <- -1
  weights
}

# Weights of the differences of each other mean and one.
means_against <- function(n, control) {
  weights <- diag(n)[-control, , drop = FALSE]
  weights[, control] <- -1
  weights
}
