# Compare numbers computed here with those of results.json, and count agreeing digits.

# The folder that this program is in.
report_folder <- function() {
  file <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  if (length(file) == 1) dirname(gsub("~+~", " ", file, fixed = TRUE)) else "."
}

# End with status 2 if a package is missing, and state what to install.
require_packages <- function(names) {
  # Loading takes seconds: each is loaded if it is used.
  here <- nzchar(vapply(names, function(name) system.file(package = name), ""))
  if (all(here)) {
    return(invisible())
  }
  missing <- names[!here]
  message(
    "This program needs R packages that are not installed. In R:\n  install.packages(c(",
    paste0("\"", missing, "\"", collapse = ", "), "))\nOn Debian:\n  apt-get install ",
    paste0("r-cran-", tolower(missing), collapse = " ")
  )
  quit(status = 2)
}

# Numbers of a CSV file. Its first row and first column are labels for people, and are
# not read; an empty cell is a missing number.
read_numbers <- function(folder, name, n_columns, labels = NULL) {
  kinds <- c("character", rep("numeric", n_columns))
  read <- utils::read.csv(
    file.path(folder, "data", name),
    colClasses = kinds, na.strings = "", quote = "\"", comment.char = "",
    check.names = FALSE, row.names = NULL, encoding = "UTF-8"
  )
  found <- as.matrix(read[-1])
  dimnames(found) <- labels
  found
}

# The values of results.json, which has one a line, in their order.
json_values <- function(file) {
  line <- sub(",$", "", trimws(readLines(file, warn = FALSE)))
  value <- sub("^\"(?:[^\"\\\\]|\\\\.)*\": ", "", line, perl = TRUE)
  value[!(value %in% c("{", "}", "[", "]", "{}", "[]", ""))]
}

# NaN and infinity are text in JSON.
as_numbers <- function(value) {
  value <- gsub("\"", "", value, fixed = TRUE)
  value[value == "Infinity"] <- "Inf"
  value[value == "-Infinity"] <- "-Inf"
  suppressWarnings(as.numeric(value))
}

# Digits that agree, at most 16. A number that is 0 but for the rounding of the largest of
# its kind (scale) agrees with 0, and numbers agree that differ by such a rounding, or,
# where a search of R's ends them (wanted), by what is left of it.
agreeing_digits <- function(ours, theirs, scale, wanted) {
  digits <- -log10(abs(ours - theirs) / abs(theirs))
  near <- ifelse(wanted < 10, 10^-(wanted + 3), 1e-15) * scale
  digits[which(abs(ours - theirs) <= near)] <- 16
  rounding <- 1e-13 * scale
  digits[which(abs(ours) <= rounding & abs(theirs) <= rounding)] <- 16
  same <- ours == theirs | (is.na(ours) & is.na(theirs))
  digits[!is.na(same) & same] <- 16
  digits[is.na(digits)] <- 0
  pmin(pmax(digits, 0), 16)
}

# Look up each number, compare it, print how many agree, and end with status 1 if one
# does not.
compare_results <- function(folder, results) {
  file <- file.path(folder, "data", c("numbers.csv", "numbers.csv.gz"))
  map <- utils::read.csv(
    file[file.exists(file)],
    colClasses = c(
      "integer", rep("character", 3), "integer", "character", "integer",
      rep("character", 2)
    ),
    na.strings = "", quote = "\"", comment.char = "", encoding = "UTF-8"
  )
  written <- as_numbers(json_values(file.path(folder, "results.json")))
  theirs <- written[map$value]
  known <- !is.na(map$result)
  key <- paste(map$result, map$name)
  ours <- rep(NA_real_, nrow(map))
  scale <- rep(0, nrow(map))
  lost <- rep(FALSE, nrow(map))
  for (rows in split(which(known), key[known])) {
    name <- sub("^minus ", "", map$name[rows[1]])
    list <- results[[map$result[rows[1]]]][[name]]
    found <- as.numeric(list)
    if (name != map$name[rows[1]]) found <- -found
    at <- element_of(map$element[rows], map$label[rows], names(list))
    ours[rows] <- found[at]
    lost[rows] <- is.na(at) | at > length(found)
    # Small p-values are as good as large ones.
    if (!startsWith(name, "p")) {
      # Effect sizes and statistics have no unit: 1 is a large one.
      unitless <- "omega|eta2|statistic|skewness|^mauchly$|^log_nu$|^order_effect$"
      least <- if (grepl(unitless, name)) 1 else 0
      scale[rows] <- max(least, abs(found[is.finite(found)]))
    }
  }
  ours <- after_gates(ours, map$at_least, results)
  digits <- agreeing_digits(ours, theirs, scale, map$digits)
  digits[lost] <- 0
  digits <- digits[known]
  wanted <- map$digits[known]
  wrong <- which(known)[digits < wanted]
  # What Python wrote into the calls is no number of R's: it is counted apart.
  given <- startsWith(map$result[known], "input")
  print_agreement(floor(digits[!given]), map$why[!known], wanted[!given])
  same <- sum(digits[given] >= wanted[given])
  told <- "%d of %d settings of the calls are those of results.json.\n"
  cat(sprintf(told, same, sum(given)))
  # What could not be computed was told once, by attempt().
  wrong <- wrong[lengths(results[map$result[wrong]]) > 0]
  print_wrong(map$place[wrong], theirs[wrong], ours[wrong])
  if (any(digits < wanted)) quit(status = 1)
}

# If numbers stand in a list: by their labels, if they have some ("of" goes
# before).
element_of <- function(element, label, labels) {
  known <- !is.na(label)
  wanted <- enc2utf8(sub("^of ", "", label[known]))
  element[known] <- match(wanted, enc2utf8(as.character(labels)))
  element
}

# p-values behind a gate are at least the p-value of its test: gate names it, such as
# "result_3/p_value/1"; NA: no gate.
after_gates <- function(p, gate, results) {
  for (one in unique(gate[!is.na(gate)])) {
    at <- strsplit(one, "/", fixed = TRUE)[[1]]
    least <- as.numeric(results[[at[1]]][[at[2]]])[as.integer(at[3])]
    rows <- which(gate == one)
    p[rows] <- pmax(p[rows], least)
  }
  p
}

# A result; if its function stops, an empty one, and a line that states this.
attempt <- function(name, result) {
  tryCatch(result, error = function(e) {
    told <- gsub("\\s+", " ", conditionMessage(e))
    cat("FAILED ", name, ": ", told, "\n", sep = "")
    list()
  })
}

print_agreement <- function(digits, why, wanted) {
  cat(R.version.string, "\nDigits that agree   numbers\n", sep = "")
  for (d in sort(unique(digits), decreasing = TRUE)) {
    cat(sprintf("%17d   %7d\n", as.integer(d), sum(digits == d)))
  }
  good <- digits >= wanted
  few <- sum(good & wanted < max(wanted))
  cat(sprintf(
    "%d of %d numbers of results.json agree to %d digits or more%s.\n",
    sum(good), length(digits), max(wanted),
    if (few > 0) sprintf(", %d to fewer, if R's function ends a search", few)
    else ""
  ))
  reasons <- sort(table(why), decreasing = TRUE)
  cat(sprintf("%d without a counterpart: %s.\n", reasons, names(reasons)), sep = "")
}

print_wrong <- function(place, theirs, ours) {
  for (i in seq_along(place)) {
    cat(sprintf("DIFFERS %s: %.17g, in R %.17g\n", place[i], theirs[i], ours[i]))
  }
}
