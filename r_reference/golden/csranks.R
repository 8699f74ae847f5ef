# Writes csranks_*.json beside it: Rscript csranks.R, in this folder. Functions of the
# package csranks from its sources, in the folder that GOLDEN_SOURCES names.
#
# Its sets of normal estimates come from 20,000 draws of the largest difference; its sets
# of multinomial counts from exact binomial tests, one-sided in both directions.

source("json.R")
sources <- file.path(Sys.getenv("GOLDEN_SOURCES"), "csranks")
files <- c("argument_checks", "utilityfunctions", "rank_utils", "diffmeans", "ranks",
  "ranks_multinom")
for (name in files) source(file.path(sources, "R", paste0(name, ".R")))
version <- read.dcf(file.path(sources, "DESCRIPTION"), "Version")[[1]]

write_golden <- function(name, note, input, outputs) {
  found <- list(
    id = name,
    notes = note,
    generated_with = list(R = R.version.string, csranks = version),
    input = input,
    outputs = lapply(outputs, function(call) {
      list(call = paste(deparse(call, 200), collapse = " "),
        value = eval(call, c(input, made(input))))
    })
  )
  writeLines(json(found), paste0(name, ".json"))
}

made <- function(input) {
  if (is.null(input$blocks)) {
    return(list())
  }
  x <- matrix(input$x, input$blocks)
  list(mean = colMeans(x), cov = stats::cov(x) / input$blocks)
}

sets <- alist(
  single_step = csranks(mean, cov, stepdown = FALSE, R = 20000, seed = 1)[c("L", "U")],
  step_down = csranks(mean, cov, R = 20000, seed = 1)[c("L", "U")],
  lower_limits = c(csdiffmeans(mean, cov, stepdown = FALSE, R = 20000, seed = 1)$L)
)
set.seed(4)
for (n in c(150, 600)) {
  x <- round(rnorm(n) + matrix(rnorm(6 * n), n) + rep(c(0, 0, 0.1, 0.25, 0.3, 0.6), each = n), 3)
  write_golden(paste0("csranks_normal_", n, "x6"),
    "simulated blocks x algorithms, higher is better, column by column",
    list(blocks = n, x = c(x)), sets)
}

chosen <- alist(
  bonferroni = csranks_multinom(counts, multcorr = "Bonferroni")[c("L", "U", "rank")],
  holm = csranks_multinom(counts)[c("L", "U", "rank")],
  holm_90 = csranks_multinom(counts, coverage = 0.9)[c("L", "U", "rank")]
)
write_golden("csranks_multinomial", "counts of eight categories",
  list(counts = c(13, 70, 51, 90, 28, 33, 7, 62)), chosen)
