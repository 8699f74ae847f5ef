# Writes nested_means.json beside it: Rscript nested_means.R, in this folder.
#
# Marginal means and all their pairwise differences by emmeans, of random designs with
# empty cells and factors that lie within others: which can be estimated, and how.

suppressMessages(library(emmeans))
source("json.R")

formulas <- c(
  "y ~ alg + data/fold", "y ~ alg * data + data:fold", "y ~ alg + data:fold",
  "y ~ alg + data + fold", "y ~ alg + prep * data", "y ~ alg * prep * data",
  "y ~ alg + data/prep/fold", "y ~ alg * x + data/fold", "y ~ 0 + alg + prep:data",
  "y ~ data/(prep + fold) + alg"
)

draw <- function(seed) {
  set.seed(seed)
  d <- expand.grid(alg = 1:2, data = 1:(2 + seed %% 2), prep = 1:2, fold = 1:2)
  gone <- d[sample(nrow(d), 1), ]
  two <- sample(4, 2)
  d <- d[!(d[[two[1]]] == gone[[two[1]]] & d[[two[2]]] == gone[[two[2]]]), ]
  d <- d[sample(nrow(d), max(12, nrow(d) - seed %% 5)), ]
  for (name in names(d)) d[[name]] <- paste0(name, d[[name]])
  if (seed %% 2) d$fold <- paste0(d$data, d$fold)
  d$x <- round(rnorm(nrow(d), 10, 2), 2)
  d$y <- round(rnorm(nrow(d)), 3)
  d
}

# Rows that emmeans shows, sorted by level; all pairs of them by their own weights.
estimated <- function(means) {
  factors <- setdiff(names(means@levels), "")
  grid <- means@grid
  shown <- means@misc$display
  rows <- do.call(order, unname(lapply(grid[factors], as.character)))
  if (!is.null(shown)) rows <- rows[shown[rows]]
  means@misc$display <- means@model.info$nesting <- NULL
  table <- as.data.frame(summary(means))[rows, ]
  pairs <- combn(rows, 2, simplify = FALSE)
  weights <- lapply(pairs, function(ij) {
    w <- numeric(nrow(grid))
    w[ij] <- c(1, -1)
    w
  })
  names(weights) <- seq_along(weights)
  made <- as.data.frame(summary(contrast(means, weights)))
  levels <- lapply(grid[rows, factors, drop = FALSE], as.character)
  value <- grep("emmean|trend", names(table))[1]
  list(levels = levels, estimate = table[[value]], std_error = table$SE,
       differences = made$estimate, difference_errors = made$SE)
}

designs <- lapply(1:20, function(seed) {
  d <- draw(seed)
  formula <- formulas[1 + seed %% length(formulas)]
  fit <- lm(as.formula(formula), d)
  names <- intersect(c("alg", "data", "prep", "fold"), all.vars(fit$terms))
  means <- lapply(setNames(nm = names), function(name) {
    estimated(suppressMessages(emmeans(fit, name)))
  })
  if ("x" %in% all.vars(fit$terms)) {
    means$slopes <- estimated(suppressMessages(emtrends(fit, "alg", var = "x", data = d)))
  }
  list(formula = formula, data = as.list(d), means = means)
})
writeLines(json(list(
  id = "nested_means",
  generated_with = list(R = R.version.string, emmeans = as.character(packageVersion("emmeans"))),
  designs = designs
)), "nested_means.json")
