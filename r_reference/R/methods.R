# What R users do with results.

print.pc_result <- function(x, ...) {
  cat(x$text, "\n", sep = "")
  invisible(x)
}

summary.pc_result <- function(object, ...) object$tables

tidy.pc_result <- function(x, table = 1, names = c("pycompare", "broom"), ...) {
  names <- match.arg(names)
  if (is.character(table) && !table %in% names(x$tables)) {
    stop("there is no table '", table, "'; there are ",
      paste0("'", names(x$tables), "'", collapse = ", "), call. = FALSE)
  }
  found <- x$tables[[table]]
  if (names == "broom") {
    known <- match(colnames(found), names(broom_names))
    colnames(found)[!is.na(known)] <- broom_names[known[!is.na(known)]]
  }
  found
}

# Columns of pycompare, and what broom calls them.
broom_names <- c(
  std_error = "std.error", p_value = "p.value", p_adjusted = "adj.p.value",
  conf_low = "conf.low", conf_high = "conf.high", sum_sq = "sumsq", mean_sq = "meansq"
)

glance.pc_result <- function(x, ...) x$glance

as.data.frame.pc_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  tidy.pc_result(x, ...)
}

# ---- pictures

# The picture as SVG.
pc_picture <- function(x, picture = NULL, width = NULL) {
  file <- tempfile(fileext = ".svg")
  on.exit(unlink(file))
  drawn <- answered(client()$picture(live(x), picture, file, width))
  svg <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  structure(list(svg = svg, picture = drawn$picture), class = "pc_picture")
}

print.pc_picture <- function(x, file = NULL, ...) {
  if (is.null(file)) file <- tempfile(fileext = ".svg")
  writeLines(x$svg, file, useBytes = TRUE)
  if (interactive()) browseURL(file) else cat("picture '", x$picture, "': ", file, "\n", sep = "")
  invisible(x)
}

knit_print.pc_picture <- function(x, ...) {
  svg <- sub("^.*?(<svg)", "\\1", x$svg)
  knitr::asis_output(paste0("\n\n", gsub("\n\\s*", "\n", svg), "\n\n"))
}

plot.pc_result <- function(x, picture = NULL, width = NULL, ...) {
  file <- tempfile(fileext = ".png")
  on.exit(unlink(file))
  answered(client()$picture(live(x), picture, file, width))
  grid.newpage()
  grid.raster(readPNG(file))
  invisible(x)
}

# ---- reports and R code

pc_report <- function(x, folder, ...) {
  check_arguments(list(...))
  folder <- path.expand(folder)
  answered(client()$report(live(x), folder, as_mapping(list(...))))$path
}

# Kept with the result: readRDS() gives it back, whose Python object is gone.
pc_r_code <- function(x) {
  if (nzchar(x$code)) x$code else answered(client()$r_code(live(x)))$code
}

# The Python object of a result of this session.
live <- function(x) {
  gone <- is.null(x$object) ||
    (inherits(x$object, "python.builtin.object") && reticulate::py_is_null_xptr(x$object))
  if (gone) {
    stop(
      "this result was read from a file: its tables, text and R code are whole, and ",
      "pictures and reports need the analysis to be made again", call. = FALSE
    )
  }
  x$object
}

# The functions of files of reference functions, with those of the files that they need.
pc_reference <- function(...) {
  folder <- system.file("reference", package = "pycompare")
  made <- new.env(parent = globalenv())
  for (file in needed(c(...), folder)) {
    sys.source(file.path(folder, paste0(file, ".R")), envir = made)
  }
  as.list(made)
}

# The files, each after those that its head says it needs.
needed <- function(files, folder, known = character()) {
  for (file in files) {
    if (file %in% known) next
    path <- file.path(folder, paste0(file, ".R"))
    if (!file.exists(path)) {
      stop("there are no reference functions '", file, "'; there are ",
        paste(sub("\\.R$", "", list.files(folder)), collapse = ", "), call. = FALSE)
    }
    known <- c(needed(needs(path), folder, known), file)
  }
  unique(known)
}

# The files that the first sentence beginning with "Needs" of the head names.
needs <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  head <- paste(sub("^# ?", "", lines[cumsum(!startsWith(lines, "#")) == 0]), collapse = " ")
  said <- regmatches(head, regexpr("Needs .*?([.] |$)", head, perl = TRUE))
  files <- unlist(regmatches(said, gregexpr("[a-z_]+[.]R", said)))
  sub("[.]R$", "", files)
}
