# The data from the file that the user gave, if it still has the SHA-256 that it had.

# SHA-256 by R (4.5), by a package or by a program of the system; NA without any.
file_sha256 <- function(file) {
  of_tools <- get0("sha256sum", asNamespace("tools"))
  if (!is.null(of_tools)) {
    return(unname(of_tools(file)))
  }
  if (requireNamespace("digest", quietly = TRUE)) {
    return(digest::digest(file, "sha256", file = TRUE))
  }
  calls <- list(
    c("sha256sum"), c("shasum", "-a", "256"), c("openssl", "dgst", "-sha256", "-r"),
    c("certutil", "-hashfile", "SHA256")
  )
  for (call in calls[nzchar(Sys.which(vapply(calls, `[`, "", 1)))]) {
    arguments <- c(call[-1], shQuote(file))
    if (call[1] == "certutil") arguments <- arguments[c(1, 3, 2)]
    said <- suppressWarnings(system2(call[1], arguments, stdout = TRUE, stderr = FALSE))
    # A backslash stands before the hash of a file whose name has one.
    found <- regmatches(said, regexpr("\\b[0-9a-fA-F]{64}\\b", said))
    if (length(found) > 0) {
      return(tolower(found[1]))
    }
  }
  NA_character_
}

# The path of the user's file: the argument of Rscript, or the name beside the report or
# in the working directory. NULL if the file in the report is read in its place.
own_file <- function(folder, name, sha256, copy) {
  given <- commandArgs(TRUE)
  places <- if (length(given) > 0) given[1] else c(file.path(folder, "..", name), name)
  file <- places[file.exists(places)][1]
  instead <- paste0("The program begins from data/", copy)
  if (is.na(file)) {
    if (length(given) > 0) {
      message("There is no file ", given[1], ".")
      quit(status = 2)
    }
    cat(instead, ": ", name, " is not beside the report. To begin from it:\n",
      "  Rscript reproduce.R PATH/", name, "\n", sep = "")
    return(NULL)
  }
  here <- file_sha256(file)
  if (is.na(here)) {
    cat(instead, ": the SHA-256 of ", name, " cannot be computed here; ",
      "install the package digest.\n", sep = "")
    return(NULL)
  }
  if (here != sha256) {
    if (length(given) > 0) {
      message(file, " is not the file that was compared: its SHA-256 is ", here,
        ", and that file's was ", sha256, ".")
      quit(status = 2)
    }
    cat(instead, ": ", name, " beside the report is another file, SHA-256 ", here,
      ".\n", sep = "")
    return(NULL)
  }
  cat("The program begins from ", name, ", SHA-256 ", here, ".\n", sep = "")
  file
}

own_columns <- function(file, sep) {
  x <- utils::read.csv(
    file, sep = sep, colClasses = "character", na.strings = character(),
    quote = "\"", comment.char = "", check.names = FALSE, row.names = NULL,
    fileEncoding = "UTF-8-BOM", blank.lines.skip = TRUE
  )
  x[] <- lapply(x, trimws)
  names(x) <- trimws(names(x))
  x
}

own_numbers <- function(x) {
  x[x %in% c("", "NA", "NaN", "nan")] <- NA
  as.numeric(x)
}

# Scores with a row for each block, algorithm and run, in the order in which their labels
# come. columns: names of the columns by their roles; scores: columns of scores, one for
# each metric, or for each algorithm of a wide table; names: columns of the result.
own_scores <- function(file, sep, wide, columns, scores, names, metrics) {
  x <- own_columns(file, sep)
  role <- function(name) if (is.na(columns[name])) NULL else x[[columns[[name]]]]
  code <- function(labels) match(labels, unique(labels))
  block <- code(paste(role("dataset"), role("block"), sep = "\r"))
  first <- !duplicated(block)
  if (wide) {
    algorithms <- scores
    runs <- NULL
    values <- list(as.vector(t(sapply(x[scores], own_numbers))))
  } else {
    algorithms <- unique(role("algorithm"))
    runs <- unique(role("replicate"))
    n_runs <- max(1, length(runs))
    run <- if (is.null(runs)) 1 else code(role("replicate"))
    at <- ((block - 1) * length(algorithms) + code(role("algorithm")) - 1) * n_runs + run
    values <- lapply(scores, function(name) {
      each <- rep(NA_real_, sum(first) * length(algorithms) * n_runs)
      each[at] <- own_numbers(x[[name]])
      each
    })
  }
  n_runs <- max(1, length(runs))
  times <- length(algorithms) * n_runs
  labels <- list(
    group = role("group"), cluster = role("cluster"), dataset = role("dataset"),
    fold = role("block"), block = block
  )
  labels <- lapply(labels, function(of) if (!is.null(of)) rep(of[first], each = times))
  labels$algorithm <- rep(rep(algorithms, each = n_runs), sum(first))
  labels$run <- if (!is.null(runs)) rep(runs, sum(first) * length(algorithms))
  found <- c(labels[names], values)
  names(found) <- c(names, metrics)
  structure(found, class = "data.frame", row.names = seq_along(found[[1]]))
}

# Scores of some of the algorithms, by their places.
own_algorithms <- function(scores, algorithms) {
  at <- match(match(scores$algorithm, unique(scores$algorithm)), algorithms)
  kept <- which(!is.na(at))
  scores[kept[order(match(scores$block, unique(scores$block))[kept], at[kept])], ]
}

# Predictions with a row for each case of a block and an algorithm. Cases are in the
# order in which they come first in the block.
own_predictions <- function(file, sep, columns, positive) {
  x <- own_columns(file, sep)
  role <- function(name) if (is.na(columns[name])) NULL else x[[columns[[name]]]]
  n <- nrow(x)
  block <- paste(role("dataset"), role("block"), sep = "\r")
  if (length(block) == 0) block <- rep("", n)
  found <- list(
    dataset = role("dataset"), block = block, algorithm = role("algorithm"),
    case = role("case"), cluster = role("cluster"),
    is_positive = as.numeric(role("label") == positive),
    score = own_numbers(role("score"))
  )
  found <- found[lengths(found) > 0]
  code <- function(labels) match(labels, unique(labels))
  cells <- if (is.null(found$case)) seq_len(n) else code(paste(code(block), found$case))
  order <- order(code(block), code(found$algorithm), cells)
  found <- lapply(found, `[`, order)
  structure(found, class = "data.frame", row.names = seq_len(n))
}

# Ratings with a row for each: modality by modality, reader by reader, case by case.
own_ratings <- function(file, sep, columns, positive) {
  x <- own_columns(file, sep)
  role <- function(name) if (is.na(columns[name])) NULL else x[[columns[[name]]]]
  found <- list(
    modality = role("modality"), reader = role("reader"), case = role("case"),
    cluster = role("cluster"), rating = own_numbers(role("rating"))
  )
  truth <- role("truth")
  if (!is.null(truth)) found$is_positive <- as.numeric(truth == positive)
  found <- found[lengths(found) > 0]
  rated <- !is.na(found$rating)
  found <- lapply(found, `[`, rated)
  code <- function(labels) match(labels, unique(labels))
  order <- order(code(found$modality), code(found$reader), code(found$case))
  found <- lapply(found, `[`, order)
  structure(found, class = "data.frame", row.names = seq_along(order))
}

# The same numbers are in the copy that pycompare wrote; end with status 1 if not.
same_as_copy <- function(own, copy, columns) {
  for (column in columns) {
    same <- length(own[[column]]) == length(copy[[column]]) &&
      isTRUE(all.equal(own[[column]], copy[[column]], tolerance = 1e-14))
    if (!same) {
      cat("DIFFERS the copy of the data: column", column, "is not that of the file.\n")
      quit(status = 1)
    }
  }
  own
}
