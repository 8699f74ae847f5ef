# Data frames as columns of plain vectors, missing values beside them, both ways.

check_frame <- function(data) {
  if (!is.data.frame(data)) {
    stop("data: expected a data.frame, got ", class(data)[1], call. = FALSE)
  }
}

to_python <- function(data) {
  doubled <- unique(names(data)[duplicated(names(data))])
  if (length(doubled) > 0) {
    stop("data: two columns are named '", doubled[1], "'; rename one", call. = FALSE)
  }
  columns <- Map(column_to_python, as.list(data), names(data))
  if (length(columns) == 0) reticulate::dict() else columns
}

column_to_python <- function(column, name) {
  if (is.factor(column)) column <- as.character(column)
  kind <- if (is.object(column) || is.list(column)) "" else typeof(column)
  if (!kind %in% c("double", "integer", "logical", "character")) {
    stop(
      "data: column '", name, "' is of class ", class(column)[1],
      "; make it numeric or character", call. = FALSE
    )
  }
  missing <- is.na(column)
  # A missing integer, truth value or text does not survive the way; its mark does.
  column[missing] <- switch(kind, character = "", logical = FALSE, 0L)
  if (kind == "character") column <- enc2utf8(column)
  list(kind = kind, values = as.list(column), missing = as.list(missing))
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
