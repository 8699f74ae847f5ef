# Writes shared_training_data.json beside it: Rscript shared_training_data.R, in this
# folder.
#
# Folds of three data sets whose differences are equally correlated: F of the interaction
# of algorithm and data set by nlme::gls with that correlation held fixed, and for
# n_test / n_train that differ by data set by generalised least squares written out.

for (file in c("linear.R", "dataset_interaction.R")) source(file.path("..", "inst", "reference", file))

numbers <- function(x) paste(sprintf("%.17g", x), collapse = ", ")

set.seed(31)
dataset <- rep(c("d1", "d2", "d3"), c(4, 7, 5))
x <- matrix(rnorm(16 * 3), 16) + rnorm(16) +
  matrix(rnorm(9), 3)[match(dataset, unique(dataset)), ]
same <- rep(1 / 9, 16)
apart <- c(0.25, 0.05, 1)[match(dataset, unique(dataset))]
field <- function(name, value) paste0(" \"", name, "\": ", value)
writeLines(paste0("{\n", paste(c(
  field("id", "\"shared_training_data\""),
  field("generated_with", paste0(
    "{\"R\": \"", R.version.string, "\", \"nlme\": \"",
    as.character(packageVersion("nlme")), "\"}"
  )),
  field("folds", "[4, 7, 5]"),
  field("by_row", paste0("[", numbers(t(x)), "]")),
  field("gls", paste0(
    "{\"overlap\": ", numbers(same[1]), ", \"statistic\": ",
    numbers(dataset_interaction_gls_reference(x, dataset, same)$statistic), "}"
  )),
  field("by_formula", paste0(
    "{\"overlap\": [", numbers(apart[c(1, 5, 12)]), "], \"statistic\": ",
    numbers(dataset_interaction_reference(x, dataset, apart)$statistic), "}"
  ))
), collapse = ",\n"), "\n}"), "shared_training_data.json")
