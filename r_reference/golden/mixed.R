# Writes mixed_*.json beside it: Rscript mixed.R, in this folder. The numbers are those of
# lmerTest::contest of lme4::lmer with Kenward and Roger's degrees of freedom, as
# ../inst/reference/mixed_model.R calls them, on simulated responses.

source("json.R")
for (name in c("linear_model", "mixed_model")) {
  source(file.path("..", "inst", "reference", paste0(name, ".R")))
}

# Units in groups, each group with its own sequence of treatments; in every third design
# two folds in each unit.
split_design <- function(seed) {
  set.seed(seed)
  treatments <- sample(2:3, 1)
  folds <- if (seed %% 3 == 0) 2 else 1
  groups <- lapply(seq_len(sample(2:4, 1)), function(g) {
    sequence <- sample(c(seq_len(treatments), sample(treatments, sample(1:2, 1), TRUE)))
    units <- lapply(seq_len(sample(2:4, 1)), function(u) {
      cells <- expand.grid(treatment = sequence, fold = seq_len(folds))
      effect <- rnorm(folds)[cells$fold] / 2 * (folds > 1)
      data.frame(cells, group = g, unit = 100 * g + u,
                 y = g + cells$treatment / 2 + rnorm(1) + effect + rnorm(nrow(cells)) * 0.7)
    })
    do.call(rbind, units)
  })
  do.call(rbind, groups)
}

# Groups of units that differ in size, with few degrees of freedom for the units.
unequal_design <- function(seed) {
  set.seed(seed)
  q <- 1 + seed %% 5
  group <- c(seq_len(q + 1), sample(q + 1, 1 + seed %% 6, TRUE))
  sizes <- c(4, sample(1:4, length(group) - 1, TRUE))
  unit <- rep(seq_along(group), sizes)
  y <- 2 * rnorm(length(group))[unit] + rnorm(length(unit))
  data.frame(group = group[unit], unit = unit, y = y)
}

tested <- function(data, seed) {
  columns <- setdiff(names(data), "y")
  codes <- vapply(data[columns], function(x) as.numeric(factor(x)), numeric(nrow(data)))
  names <- setNames(paste0("f", seq_along(columns)), columns)
  terms <- unname(names[intersect(c("group", "treatment"), columns)])
  units <- unname(names["unit"])
  if ("fold" %in% columns && length(unique(data$fold)) > 1) {
    units <- paste(units, "+", paste0(units, ":", names["fold"]))
  }
  call <- list(matrix(data$y), codes, terms = terms, units = units)
  c(
    list(seed = seed, within = if (grepl(":", units)) "unit/fold" else "unit"),
    as.list(data),
    list(tests = suppressMessages(do.call(mixed_model_reference, call))),
    suppressMessages(do.call(mixed_model_variances_reference, call))
  )
}

write_golden <- function(name, notes, design, seeds) {
  found <- list(
    id = name, notes = notes,
    generated_with = list(
      R = R.version.string, lme4 = as.character(packageVersion("lme4")),
      lmerTest = as.character(packageVersion("lmerTest")),
      pbkrtest = as.character(packageVersion("pbkrtest"))
    ),
    call = "mixed_model_reference(y, codes, terms = terms, units = units)",
    designs = lapply(seeds, function(seed) tested(design(seed), seed))
  )
  writeLines(json(found), paste0(name, ".json"))
}

write_golden("mixed_split", "terms: group, treatment; type II", split_design, 1:20)
write_golden("mixed_unequal", "term: group; type II", unequal_design, 1:20)
