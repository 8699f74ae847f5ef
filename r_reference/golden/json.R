# Text of a list of numbers and words as the golden files have it.

digits <- function(x) {
  if (is.character(x)) {
    return(paste0("\"", x, "\""))
  }
  short <- sprintf("%.15g", x)
  ifelse(as.numeric(short) == x, short, sprintf("%.17g", x))
}

json <- function(x, indent = "") {
  if (is.list(x)) {
    inner <- paste0(indent, " ")
    parts <- vapply(names(x), function(name) {
      paste0(inner, "\"", name, "\": ", json(x[[name]], inner))
    }, "")
    return(paste0("{\n", paste(parts, collapse = ",\n"), "\n", indent, "}"))
  }
  text <- paste(digits(x), collapse = ", ")
  if (length(x) == 1) text else paste0("[", text, "]")
}
