# Battles as the calls take them, from the file in the folder of a report.
#
# The file has one row for each battle: model_1, model_2, winner (first, tie or second),
# voter and group, if there are any.

read_battles <- function(folder) {
  files <- file.path(folder, "data", c("battles.csv", "battles.csv.gz"))
  utils::read.csv(
    files[file.exists(files)][1],
    colClasses = "character", na.strings = character(), quote = "\"", comment.char = "",
    check.names = FALSE, row.names = NULL, encoding = "UTF-8"
  )
}

# Rows of one group, of these models, with ties or without.
battles_taken <- function(battles, models, group = NULL, ties = TRUE) {
  kept <- battles$model_1 %in% models & battles$model_2 %in% models
  if (!is.null(group)) kept <- kept & battles$group == group
  if (!ties) kept <- kept & battles$winner != "tie"
  battles[kept, , drop = FALSE]
}

# Positions of the models that were shown first (side 1) or second (side 2).
models_of <- function(battles, models, side, ...) {
  match(battles_taken(battles, models, ...)[[side]], models) + 0
}

outcomes_of <- function(battles, models, ...) {
  winner <- battles_taken(battles, models, ...)$winner
  unname(c(second = 0, tie = 0.5, first = 1)[winner])
}

# Voters numbered as they come; each battle has its own if there are none.
voters_of <- function(battles, models, ...) {
  taken <- battles_taken(battles, models, ...)
  if (is.null(taken$voter)) {
    return(seq_len(nrow(taken)) + 0)
  }
  match(taken$voter, unique(taken$voter)) + 0
}
