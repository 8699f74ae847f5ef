# Data frames as columns of plain vectors, missing values beside them, both ways.

check_frame <- function(data) {
  if (!is.data.frame(data)) {
    stop("data: expected a data.frame, got ", class(data)[1], call. = FALSE)
  }
}

# Columns that nobody names are left out if R's class of them has no way to Python.
to_python <- function(data, used = character()) {
  doubled <- unique(names(data)[duplicated(names(data))])
  if (length(doubled) > 0) {
    stop("data: two columns are named '", doubled[1], "'; rename one", call. = FALSE)
  }
  plain <- lapply(as.list(data), plain_column)
  known <- vapply(plain, is_plain, NA)
  unknown <- intersect(names(data)[!known], used)
  if (length(unknown) > 0) {
    stop(
      "data: column '", unknown[1], "' is of class ", class(data[[unknown[1]]])[1],
      "; make it numeric or character", call. = FALSE
    )
  }
  columns <- Map(column_to_python, plain[known], names(data)[known])
  if (length(columns) == 0) reticulate::dict() else columns
}

# A column of a class that R users have, as plain values of the same meaning.
plain_column <- function(column) {
  if (inherits(column, "haven_labelled")) return(labelled_column(column))
  if (inherits(column, c("Date", "POSIXt"))) return(format(column))
  if (inherits(column, "difftime")) return(as.double(column))
  if (inherits(column, "integer64") && requireNamespace("bit64", quietly = TRUE)) {
    return(bit64::as.double.integer64(column))
  }
  column
}

# Labels where each value has one, else the values.
labelled_column <- function(column) {
  labels <- attr(column, "labels")
  values <- as.vector(unclass(column))
  known <- !is.null(labels) && all(values %in% c(labels, NA))
  if (!known) return(values)
  ordered <- labels[order(labels)]
  factor(names(ordered)[match(values, ordered)], levels = names(ordered))
}

is_plain <- function(column) {
  is.factor(column) || (!is.object(column) && !is.list(column) &&
    typeof(column) %in% c("double", "integer", "logical", "character"))
}

column_to_python <- function(column, name) {
  levels <- if (is.factor(column)) levels(column)
  if (is.factor(column)) column <- as.character(column)
  kind <- typeof(column)
  missing <- is.na(column)
  # A missing integer, truth value or text does not survive the way; its mark does.
  column[missing] <- switch(kind, character = "", logical = FALSE, 0L)
  if (kind == "character") column <- enc2utf8(column)
  sent <- list(kind = kind, values = as.list(column), missing = as.list(missing))
  if (!is.null(levels)) sent$levels <- as.list(enc2utf8(levels))
  sent
}

# Rows in the order of factor levels, so that algorithms and blocks have it, too.
in_order_of_levels <- function(data, names) {
  names <- Filter(function(name) is.factor(data[[name]]), names)
  if (length(names) == 0) return(data)
  data[do.call(order, lapply(names, function(name) as.integer(data[[name]]))), ,
    drop = FALSE]
}

from_python <- function(columns) {
  made <- lapply(columns, column_from_python)
  data.frame(made, check.names = FALSE, stringsAsFactors = FALSE)
}

column_from_python <- function(column) {
  values <- as.vector(unlist(column$values), column$kind)
  values[as.logical(unlist(column$missing))] <- NA
  values
}
