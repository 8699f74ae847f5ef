# Print a named list of numbers, one a line, with all digits.
print_numbers <- function(result) {
  for (name in names(result)) {
    values <- result[[name]]
    cat(paste0(name, places(values), " = ", sprintf("%.17g", values), "\n"), sep = "")
  }
}

# What stands in brackets behind a name: labels, or numbers if there are several.
places <- function(values) {
  if (!is.null(names(values))) {
    paste0("[", encodeString(names(values), quote = "\""), "]")
  } else if (length(values) > 1) {
    paste0("[", seq_along(values), "]")
  } else {
    ""
  }
}
