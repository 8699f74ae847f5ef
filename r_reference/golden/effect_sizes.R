# Writes effect_sizes.json beside it: Rscript effect_sizes.R FOLDER, in this folder.
# FOLDER: the sources of effectsize 1.0.3 (github.com/easystats/effectsize), of which two
# files are read; they need no package.
#
# F of the algorithms by aov(); estimates and two-sided limits by effectsize. Its limits
# come from a search (optim) that ends after 5 digits or so.

folder <- commandArgs(trailingOnly = TRUE)[1]
effectsize <- new.env()
for (file in c("utils_ci.R", "utils_validate_input_data.R", "convert_stat_to_anova.R")) {
  sys.source(file.path(folder, "R", file), effectsize)
}

digits <- function(x) paste(sprintf("%.17g", x), collapse = ", ")

entry <- function(values) {
  fields <- vapply(names(values), function(name) {
    paste0("\"", name, "\": ", digits(values[[name]]))
  }, "")
  paste0("{", paste(fields, collapse = ", "), "}")
}

sizes <- function(x, blocked) {
  cells <- data.frame(
    score = as.vector(x), block = factor(row(x)), algorithm = factor(col(x))
  )
  model <- if (blocked) score ~ block + algorithm else score ~ algorithm
  table <- summary(aov(model, cells))[[1]]
  rows <- nrow(table) - 1:0
  f <- table[["F value"]][rows[1]]
  df <- table[["Df"]][rows]
  arguments <- list(f = f, df = df[1], df_error = df[2], alternative = "two.sided")
  eta2 <- do.call(effectsize$F_to_eta2, arguments)
  omega2 <- do.call(effectsize$F_to_omega2, arguments)
  entry(list(
    statistic = f, eta2 = eta2[["Eta2_partial"]], conf_low = eta2[["CI_low"]],
    conf_high = eta2[["CI_high"]], omega2 = omega2[["Omega2_partial"]]
  ))
}

set.seed(20)
tables <- list(
  normal_1000x2 = sweep(matrix(rnorm(2000), 1000), 2, c(0, 1.6), "+"),
  normal_10x4 = sweep(matrix(rnorm(40), 10), 2, c(0, 0.3, 0.6, 1.5), "+"),
  normal_4x8 = sweep(matrix(rnorm(32), 4), 2, seq(0, 2, length.out = 8), "+"),
  null_12x3 = matrix(rnorm(36), 12)
)
lines <- vapply(names(tables), function(name) {
  x <- tables[[name]]
  paste0(
    "  \"", name, "\": {\"columns\": ", ncol(x), ", \"by_row\": [", digits(t(x)), "],\n",
    "   \"blocked\": ", sizes(x, TRUE), ",\n",
    "   \"one_way\": ", sizes(x, FALSE), "}"
  )
}, "")
head <- paste0(
  "{\n \"id\": \"effect_sizes\",\n \"notes\": \"limits end after about 5 digits\",\n",
  " \"generated_with\": {\"R\": \"", R.version.string, "\", \"effectsize\": \"1.0.3\"},\n",
  " \"tables\": {\n"
)
writeLines(paste0(head, paste(lines, collapse = ",\n"), "\n }\n}"), "effect_sizes.json")
