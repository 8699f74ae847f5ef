# Predictions as the calls take them, from the file in the folder of a report.
#
# The file has one row for each case of a block and an algorithm: blocks in their order,
# algorithms in them. Columns: dataset and group, if there are any; block, algorithm;
# case and cluster, if there are any; is_positive (1 or 0), score.

read_predictions <- function(folder) {
  files <- file.path(folder, "data", c("predictions.csv", "predictions.csv.gz"))
  read <- utils::read.csv(
    files[file.exists(files)][1],
    colClasses = "character", na.strings = "", quote = "\"", comment.char = "",
    check.names = FALSE, row.names = NULL, encoding = "UTF-8"
  )
  for (name in c("is_positive", "score")) read[[name]] <- as.numeric(read[[name]])
  read
}

# 1 for the label that comes first, 2 for the next new one, and so on.
numbered <- function(labels) match(labels, unique(labels)) + 0

# Rows of an algorithm on a data set, by their numbers.
rows_of <- function(predictions, algorithm, dataset) {
  kept <- numbered(predictions$algorithm) == algorithm
  if (!is.null(predictions$dataset)) {
    kept <- kept & numbered(predictions$dataset) == dataset
  }
  predictions[kept, ]
}

# Cases in rows, algorithms in columns.
case_scores <- function(predictions, algorithms, dataset, labels = NULL) {
  of <- function(j) rows_of(predictions, j, dataset)$score
  matrix(sapply(algorithms, of), ncol = length(algorithms), dimnames = labels)
}

# Blocks are in one repeat until a case comes again.
repeats_of <- function(block, case) {
  repeat_number <- numeric(length(block))
  now <- 1
  seen <- character()
  for (fold in unique(block)) {
    here <- case[block == fold]
    if (any(here %in% seen)) {
      now <- now + 1
      seen <- character()
    }
    seen <- c(seen, here)
    repeat_number[block == fold] <- now
  }
  repeat_number
}

# Scores of blocks and algorithms: measures of their cases. names: columns of labels, of
# which the file has those that are used.
measured_scores <- function(predictions, names, metrics, measured) {
  for (name in setdiff(names, colnames(predictions))) predictions[[name]] <- NA
  cell <- numbered(paste(numbered(predictions$block), numbered(predictions$algorithm)))
  values <- tapply(seq_along(cell), cell, function(rows) {
    measured(predictions$is_positive[rows], predictions$score[rows])
  }, simplify = FALSE)
  scores <- predictions[!duplicated(cell), names, drop = FALSE]
  values <- do.call(rbind, values)
  for (j in seq_along(metrics)) scores[[length(names) + j]] <- values[, j]
  scores
}

# The value that was declared for 0/0.
defined <- function(x, if_undefined) ifelse(is.nan(x), if_undefined, x)

# Training sets as readers of one test set.
ratings_of <- function(predictions) {
  data.frame(
    modality = predictions$algorithm, reader = predictions$block,
    case = predictions$case, is_positive = predictions$is_positive,
    rating = predictions$score
  )
}
