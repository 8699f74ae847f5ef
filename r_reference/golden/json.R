# Text of a list of numbers and words as the golden files have it.

digits <- function(x) {
  if (is.character(x)) {
    return(paste0("\"", gsub("([\"\\\\])", "\\\\\\1", x), "\""))
  }
  if (is.logical(x)) {
    return(ifelse(is.na(x), "null", tolower(x)))
  }
  short <- sprintf("%.15g", x)
  exact <- suppressWarnings(as.numeric(short)) == x
  text <- ifelse(exact, short, sprintf("%.17g", x))
  special <- c("Inf" = "\"Infinity\"", "-Inf" = "\"-Infinity\"", "NaN" = "\"NaN\"")
  text <- ifelse(is.finite(x), text, special[as.character(x)])
  ifelse(is.na(x) & !is.nan(x), "null", text)
}

json <- function(x, indent = "") {
  inner <- paste0(indent, " ")
  if (is.null(x)) {
    return("null")
  }
  if (is.list(x) && is.null(names(x))) {
    parts <- vapply(x, json, "", indent = inner)
    return(paste0("[", paste(parts, collapse = ", "), "]"))
  }
  if (is.list(x)) {
    parts <- vapply(seq_along(x), function(i) {
      paste0(inner, digits(names(x)[i]), ": ", json(x[[i]], inner))
    }, "")
    return(paste0("{\n", paste(parts, collapse = ",\n"), "\n", indent, "}"))
  }
  text <- paste(digits(x), collapse = ", ")
  if (length(x) == 1) text else paste0("[", text, "]")
}
