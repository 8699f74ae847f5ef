ratings <- function() {
  set.seed(3)
  d <- expand.grid(test = c("film", "digital"), reader = paste0("r", 1:4), case = 1:30)
  d$truth <- as.integer(d$case <= 15)
  d$rating <- round(rnorm(nrow(d)) + d$truth + 0.4 * (d$test == "digital"), 3)
  d
}

plan_of_readers <- function() {
  folder <- tempfile("study")
  dir.create(folder)
  utils::write.csv(ratings(), file.path(folder, "ratings.csv"), row.names = FALSE)
  plan <- file.path(folder, "plan.toml")
  writeLines(c(
    "[data]", "file = \"ratings.csv\"",
    "[readers]", "modality = \"test\"", "reader = \"reader\"", "case = \"case\"",
    "truth = \"truth\"", "rating = \"rating\"",
    "[plan]", "control = \"film\"", "margin = 0.1", "hypothesis = \"non-inferiority\""
  ), plan)
  plan
}

test_that("a plan is sealed, run, verified and compared from R alone", {
  skip_without_python()
  plan <- plan_of_readers()
  expect_match(pc_plan(file.path(dirname(plan), "ratings.csv"), "readers"), "[readers]",
    fixed = TRUE)
  sealed <- pc_seal(plan, by = "Ann Lee", role = "statistician", meaning = "author")
  expect_match(sealed$trail, "trail.jsonl")
  folders <- file.path(dirname(plan), c("first", "second"))
  found <- pc_run(plan, by = "Bo", folder = folders[1], formats = "text")
  expect_match(found$text, "film", fixed = TRUE)
  claims <- tidy(found, "claims")
  expect_true("non-inferior" %in% claims$claim)
  direct <- pc_mrmc(ratings(), "test", "reader", "case", "rating", "truth",
    control = "film", margin = 0.1, hypothesis = "non-inferiority")
  expect_equal(tidy(direct, "claims")$p_value, claims$p_value, tolerance = 1e-12)
  expect_true(pc_verify(folders[1], recompute = TRUE)$passed)
  pc_run(plan, by = "Bo", folder = folders[2], formats = "text")
  expect_equal(pc_diff(folders[1], folders[2])$conclusions_changed, 0)
  cat("x", file = file.path(folders[2], "report.txt"), append = TRUE)
  changed <- pc_verify(folders[2])
  expect_false(changed$passed)
  expect_equal(changed$table$file, "report.txt")
  cat("\n", file = plan, append = TRUE)
  expect_error(pc_run(plan), "was changed after it was sealed", class = "pycompare_error")
  expect_error(pc_run(c("a", "b")), "plan: give one path")
})

test_that("readers and models have all of their tables", {
  skip_without_python()
  found <- pc_mrmc(ratings(), "test", "reader", "case", "rating", "truth")
  expect_true(all(c("areas", "by_reader", "components", "scopes", "analyses") %in%
    names(summary(found))))
  expect_equal(nrow(tidy(found, "areas")), 2)
  d <- long()
  model <- pc_linear_model(accuracy ~ data + algorithm, d)
  means <- grep("algorithm", names(summary(model)), value = TRUE)
  expect_gt(length(means), 1)
  theirs <- tapply(d$accuracy, d$algorithm, mean)
  table <- tidy(model, grep("^Means of", means, value = TRUE))
  column <- intersect(c("estimate", "mean"), names(table))[1]
  expect_equal(sort(table[[column]]), sort(unname(c(theirs))), tolerance = 1e-10)
})

test_that("names are those of broom where they are wanted", {
  skip_without_python()
  found <- pc_rank_pairs(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms)
  ours <- tidy(found)
  theirs <- tidy(found, names = "broom")
  expect_identical(theirs$p.value, ours$p_value)
  expect_identical(theirs$adj.p.value, ours$p_adjusted)
  expect_false(any(grepl("_", c("p.value", "adj.p.value"), fixed = TRUE)))
})

test_that("a result that was saved keeps tables and R code", {
  skip_without_python()
  found <- pc_friedman(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms)
  file <- tempfile(fileext = ".rds")
  saveRDS(found, file)
  back <- readRDS(file)
  expect_identical(tidy(back), tidy(found))
  expect_identical(pc_r_code(back), pc_r_code(found))
  expect_error(pc_report(back, tempfile()), "was read from a file")
})

test_that("columns that nobody names do no harm, and levels have their order", {
  skip_without_python()
  d <- long()
  plain <- pc_friedman(d, "algorithm", "data", accuracy)
  d$when <- as.POSIXct("2026-01-01", tz = "UTC")
  d$fit <- I(lapply(seq_len(nrow(d)), identity))
  expect_equal(glance(pc_friedman(d, "algorithm", "data", accuracy)), glance(plain))
  d$algorithm <- factor(d$algorithm, levels = c("tree", "bayes", "svm", "knn"))
  pairs <- tidy(pc_mean_pairs(d, "algorithm", "data", accuracy))
  expect_equal(pairs$algorithm_1[1], "tree")
  expect_equal(pairs$algorithm_2[1], "bayes")
  dated <- d
  dated$data <- as.Date("2026-01-01") + as.integer(factor(d$data))
  expect_equal(glance(pc_friedman(dated, "algorithm", "data", accuracy)), glance(plain))
})

test_that("the power of a design is that of power.t.test", {
  skip_without_python()
  found <- tidy(pc_power("paired-t", difference = 1, sd = 1.5, n = c(10, 20), trials = 0))
  theirs <- vapply(c(10, 20), function(n) {
    power.t.test(n, 1, 1.5, type = "paired", strict = TRUE)$power
  }, 0)
  column <- intersect(c("power_formula", "formula", "power"), names(found))[1]
  expect_equal(found[[column]], theirs, tolerance = 1e-9)
  expect_error(pc_power("paired-tt"), "there is no 'paired-tt'", class = "pycompare_error")
})

test_that("the number of labels beside a judge is found", {
  skip_without_python()
  truth <- list(difference = 0.1, sd = 0.535, correlation = 0.7, items = 3000)
  power <- do.call(pc_power, c("labels", truth, list(n = 127, trials = 0)))
  v <- (125 * 0.535^2 * 0.51 + 1) / (126 * 128) * (1 - 127 / 3000) * 125 / 124
  v <- v + (126 * 0.535^2 + 1) / (127 * 3000)
  shift <- 0.1 / sqrt(v)
  t <- qt(0.975, 125)
  expected <- pt(t, 125, shift, lower.tail = FALSE) + pt(-t, 125, shift)
  expect_equal(tidy(power)$power_formula, expected, tolerance = 1e-9)
})
