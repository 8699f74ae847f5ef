round_trip <- function(d) {
  frames <- reticulate::import("pycompare.apps.r_frames", convert = FALSE)
  pycompare:::from_python(
    reticulate::py_to_r(frames$to_r(frames$from_r(pycompare:::to_python(d))))
  )
}

test_that("NA goes to Python and comes back", {
  skip_without_python()
  d <- data.frame(
    x = c(1.5, NA, NaN), i = c(1L, NA, 3L), b = c(TRUE, NA, FALSE),
    s = c("NA", NA, "\u00e9"), f = factor(c("b", NA, "a")), stringsAsFactors = FALSE
  )
  back <- round_trip(d)
  expect_equal(is.na(back$x), c(FALSE, TRUE, TRUE))
  expect_equal(back$i, c(1, NA, 3))
  expect_identical(back$b, d$b)
  expect_identical(back$s, d$s)
  expect_identical(back$f, c("b", NA, "a"))
})

test_that("every double and a table of one row perrrive bit for bit", {
  skip_without_python()
  d <- data.frame(x = 0.1 + 0.2)
  expect_identical(round_trip(d), d)
  d <- data.frame(x = c(5e-324, 1.7976931348623157e308, -0.1, 1 / 3, Inf, -Inf))
  expect_identical(round_trip(d), d)
})

test_that("adjusted p-values are those of p.adjust, and of a square table", {
  skip_without_python()
  p <- c(a = 0.001, b = 0.02, c = 0.03, d = 0.8)
  for (method in c("holm", "hochberg", "hommel", "BH", "BY", "bonferroni")) {
    expect_equal(pc_adjust(p, method), p.adjust(p, method), tolerance = 1e-14)
  }
  expect_equal(pc_adjust(0.02, "holm"), 0.02)
  square <- matrix(1, 3, 3, dimnames = list(letters[1:3], letters[1:3]))
  square[lower.tri(square)] <- c(0.01, 0.02, 0.04)
  square <- pmin(square, t(square))
  found <- pc_adjust(square, "bergmann-hommel")
  expect_identical(dimnames(found), dimnames(square))
  expect_equal(found[lower.tri(found)], c(0.03, 0.03, 0.04))
  expect_true(all(is.na(diag(found))))
})

test_that("missing scores follow the policy", {
  skip_without_python()
  w <- wide()
  w$knn[3] <- NA
  expect_error(
    pc_friedman(w, block = "data", metrics = accuracy, algorithms = algorithms),
    class = "pycompare_error"
  )
  found <- pc_rank_tests(w, block = "data", metrics = accuracy, algorithms = algorithms,
    test = "skillings_mack", missing = "model")
  expect_true(glance(found)$p_value > 0)
})

test_that("errors of R say the argument", {
  expect_error(pc_anova(list(), "a", "b", accuracy), "data.frame")
  expect_error(pc_anova(long(), "algorithm", "data", c("accuracy")), "higher")
  expect_error(pc_anova(long(), "algoritm", "data", accuracy), "no column 'algoritm'")
  expect_error(pc_compare(long(), "algorithm", "data", accuracy,
    plan = list(alpha = NA)), "alpha")
  d <- long()
  d$model <- I(lapply(seq_len(nrow(d)), identity))
  expect_error(pycompare:::to_python(d, "model"), "'model' is of class AsIs")
  expect_named(pycompare:::to_python(d), setdiff(names(d), "model"))
})

test_that("labels are data", {
  skip_without_python()
  w <- wide()
  names(w)[2] <- "'); import os; os.abort() #"
  found <- pc_friedman(w, block = "data", metrics = accuracy, algorithms = names(w)[2:5])
  expect_s3_class(found, "pc_result")
})

test_that("messages have the words of R, and classes of R users their order", {
  skip_without_python()
  d <- long()
  said <- function(call) tryCatch(call, error = conditionMessage)
  gaps <- d
  gaps$accuracy[3] <- NA
  refused <- said(pc_friedman(gaps, "algorithm", "data", accuracy))
  expect_match(refused, "missing = \"drop-block\"", fixed = TRUE)
  expect_false(grepl("',)", refused, fixed = TRUE))
  expect_match(said(pc_mean_pairs(d, "algorithm", "data", accuracy, test = "dunnett")),
    "dunnett needs the argument 'control'", fixed = TRUE)
  expect_match(said(pc_friedman(d, "algorithm", "data", accuracy, tie = 1)),
    "has no argument 'tie'", fixed = TRUE)
  plain <- pc_mean_pairs(d, "algorithm", "data", accuracy)
  expect_match(said(pc_report(plain, tempfile())), "one of pc_compare", fixed = TRUE)
  d$accuracy <- as.difftime(d$accuracy, units = "secs")
  expect_equal(tidy(pc_mean_pairs(d, "algorithm", "data", accuracy)), tidy(plain))
  skip_if_not_installed("haven")
  codes <- stats::setNames(1:4, c("tree", "svm", "bayes", "knn"))
  d$algorithm <- haven::labelled(unname(codes[d$algorithm]), codes)
  pairs <- tidy(pc_mean_pairs(d, "algorithm", "data", accuracy))
  expect_equal(unlist(pairs[1, 1:2], use.names = FALSE), c("tree", "svm"))
})
