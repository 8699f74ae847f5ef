# Writes dunnett_gaps.json beside it: Rscript dunnett_gaps.R, in this folder.
#
# Comparisons with a control in blocks of which some lack algorithms, single-step and
# step-down, by multcomp::glht over mvtnorm (random; absolute error about 1e-5).

library(multcomp)

numbers <- function(x) {
  text <- ifelse(is.na(x), "null", sprintf("%.17g", x))
  paste0("[", paste(text, collapse = ", "), "]")
}

set.seed(41)
tables <- list(complete_12x5 = matrix(rnorm(60), 12) + rep(c(0, 0.2, 0.9, 1, 1.6), each = 12))
tables$gaps_10x6 <- matrix(rnorm(60), 10) + rep(c(0, 0.4, 0.8, 1.2, 1.4, 1.6), each = 10)
tables$gaps_10x6[cbind(c(1, 2, 2, 5, 7, 9, 10), c(2, 3, 6, 1, 4, 5, 2))] <- NA

entries <- vapply(names(tables), function(name) {
  x <- tables[[name]]
  cells <- data.frame(
    y = as.vector(x), block = factor(row(x)), algorithm = factor(col(x))
  )
  fit <- lm(y ~ block + algorithm, cells[!is.na(cells$y), ])
  p <- function(type) {
    set.seed(1)
    test <- adjusted(type, abseps = 1e-5, maxpts = 3e5)
    found <- summary(glht(fit, mcp(algorithm = "Dunnett")), test)
    numbers(as.vector(found$test$pvalues))
  }
  paste0(
    "  \"", name, "\": {\"columns\": ", ncol(x), ", \"by_row\": ", numbers(t(x)),
    ",\n   \"single_step\": ", p("single-step"), ",\n   \"free\": ", p("free"), "}"
  )
}, "")
writeLines(paste0(
  "{\n \"id\": \"dunnett_gaps\",\n \"generated_with\": {\"R\": \"", R.version.string,
  "\", \"multcomp\": \"", packageVersion("multcomp"), "\", \"mvtnorm\": \"",
  packageVersion("mvtnorm"), "\"},\n \"tables\": {\n",
  paste(entries, collapse = ",\n"), "\n }\n}"
), "dunnett_gaps.json")
