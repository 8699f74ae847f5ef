# Ratings as the calls take them, from the file in the folder of a report.
#
# The file has one row for each rating: modality, reader, case, cluster (if there are
# any), is_positive (1 or 0; if truth is known), rating.

read_ratings <- function(folder) {
  files <- file.path(folder, "data", c("ratings.csv", "ratings.csv.gz"))
  read <- utils::read.csv(
    files[file.exists(files)][1],
    colClasses = "character", na.strings = "", quote = "\"", comment.char = "",
    check.names = FALSE, row.names = NULL, encoding = "UTF-8"
  )
  if (!is.null(read$is_positive)) {
    read$is_positive <- as.numeric(read$is_positive %in% c("1", "true", "True"))
  }
  read$rating <- as.numeric(read$rating)
  read
}

# A row for each case, a column for each modality and reader, modality by modality; NA
# if there is no rating.
rating_matrix <- function(ratings, modalities = unique(ratings$modality),
                          readers = unique(ratings$reader),
                          cases = unique(ratings$case)) {
  x <- matrix(NA_real_, length(cases), length(modalities) * length(readers))
  rownames(x) <- cases
  column <- (match(ratings$modality, modalities) - 1) * length(readers) +
    match(ratings$reader, readers)
  x[cbind(match(ratings$case, cases), column)] <- ratings$rating
  x
}

# What each case has in all of its rows.
of_cases <- function(values, ratings, rating) {
  values[match(rownames(rating), ratings$case)]
}

cluster_codes <- function(ratings, rating) {
  cluster <- of_cases(ratings$cluster, ratings, rating)
  match(cluster, unique(cluster)) + 0
}

# Right (1) and wrong (0) decisions at a threshold, of positive or negative cases alone
# if outcome is the sensitivity or the specificity, or the ratings as they are (mean).
binary_outcomes <- function(rating, truth, n_modalities, outcome, threshold) {
  n_readers <- ncol(rating) / n_modalities
  at <- expand.grid(
    case = seq_len(nrow(rating)), reader = seq_len(n_readers),
    modality = seq_len(n_modalities)
  )
  value <- as.vector(rating)
  y <- value
  kept <- !is.na(value)
  if (outcome != "mean") {
    y <- as.numeric((value >= threshold) == (truth[at$case] == 1))
    if (outcome == "sensitivity") kept <- kept & truth[at$case] == 1
    if (outcome == "specificity") kept <- kept & truth[at$case] == 0
  }
  number <- function(x) match(x, sort(unique(x))) + 0
  list(
    y = y[kept], modality = at$modality[kept] + 0,
    reader = number(at$reader[kept]), case = number(at$case[kept])
  )
}
