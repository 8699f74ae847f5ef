test_that("a gate has a verdict, on slices too", {
  skip_if_not(pc_available())
  d <- expand.grid(model = c("old", "new"), item = 1:300)
  d$topic <- ifelse(d$item %% 2 == 0, "x", "y")
  d$right <- as.integer(d$item %% 10 > 0 | (d$model == "new" & d$item %% 20 == 0))
  gate <- pc_gate(d, "model", "item", c(right = "higher"), "old", "new",
    margin = 0.1, slices = "topic"
  )
  members <- as.data.frame(gate)
  expect_setequal(members$slice, c("", "x", "y"))
  expect_true(all(members$p_not_worse < 0.025))
})

test_that("labels beside a judge have the estimate of lm", {
  skip_if_not(pc_available())
  d <- expand.grid(model = c("A", "B", "C"), item = 1:40)
  a <- as.integer(d$model)
  d$judge <- as.integer((7 * d$item + 3 * a) %% 10 < 8 - a)
  d$human <- ifelse((d$item + 2 * a) %% 6 == 0, 1 - d$judge, d$judge)
  d$human[d$item > 12] <- NA
  labels <- pc_labels(d, "model", "item", "judge", c(human = "higher"), "random")
  pairs <- as.data.frame(labels)
  fit <- lm(human ~ factor(item) + model + judge, d)
  b <- coef(fit)[["judge"]]
  mean_of <- function(m) {
    own <- d$model == m
    mean(d$human[own], na.rm = TRUE) +
      b * (mean(d$judge[own]) - mean(d$judge[own & d$item <= 12]))
  }
  expect_equal(pairs$estimate[2], mean_of("A") - mean_of("C"), tolerance = 1e-12)
})

test_that("a challenge is ranked by the mean ranks of its cases", {
  skip_if_not(pc_available())
  set.seed(1)
  x <- matrix(plogis(rnorm(250, 1.5)), 50, dimnames = list(1:50, paste0("A", 1:5)))
  d <- data.frame(team = rep(colnames(x), each = 50), case = rep(1:50, 5), dice = c(x))
  found <- as.data.frame(
    pc_challenge(d, "team", "case", c(dice = "higher"), "rank-then-aggregate")
  )
  ranks <- t(apply(-x, 1, rank))
  expect_equal(found$value, unname(colMeans(ranks)), tolerance = 1e-12)
  expect_equal(found$rank, unname(rank(colMeans(ranks))))
  gaps <- d[-c(3, 60), ]
  failed <- pc_challenge(gaps, "team", "case", c(dice = "higher"), "rank-then-aggregate",
    missing = "worst", worst = 0
  )
  expect_equal(as.data.frame(failed)$failures, c(1, 1, 0, 0, 0))
  expect_true("resampled" %in% names(failed$tables))
})

test_that("items have their shares of wrong answers", {
  skip_if_not(pc_available())
  d <- expand.grid(model = c("old", "new"), item = 1:40)
  d$right <- as.integer((d$item * 7 + 3 * (d$model == "new")) %% 5 > 1)
  items <- as.data.frame(pc_item_table(d, "model", "item", c(right = "higher")))
  wrong <- 1 - tapply(d$right, d$item, mean)
  expect_equal(items$wrong, as.numeric(wrong[as.character(items$item)]))
  expect_true(all(diff(items$difficulty[order(items$wrong)]) >= -1e-9))
})

test_that("analysis of variance agrees with aov", {
  skip_without_python()
  ours <- tidy(pc_anova(long(), "algorithm", "data", accuracy))
  theirs <- summary(aov(accuracy ~ data + algorithm, long()))[[1]]
  row <- match("algorithm", trimws(rownames(theirs)))
  expect_equal(ours$statistic[ours$term == "algorithm"], theirs[row, "F value"],
    tolerance = 1e-12)
  expect_equal(ours$p_value[ours$term == "algorithm"], theirs[row, "Pr(>F)"],
    tolerance = 1e-11)
})

test_that("long and wide tables give the same numbers", {
  skip_without_python()
  from_long <- pc_friedman(long(), "algorithm", "data", accuracy)
  from_wide <- pc_friedman(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms)
  expect_equal(glance(from_long), glance(from_wide))
  theirs <- friedman.test(as.matrix(wide()[-1]))
  expect_equal(glance(from_wide)$statistic, unname(theirs$statistic), tolerance = 1e-12)
})

test_that("manova agrees with manova", {
  skip_without_python()
  ours <- pc_manova(long(), "algorithm", "data", c(accuracy = "higher", seconds = "lower"))
  theirs <- summary(
    manova(cbind(accuracy, seconds) ~ data + algorithm, long()), test = "Wilks"
  )$stats["algorithm", ]
  expect_equal(glance(ours)$p_value, theirs[["Pr(>F)"]], tolerance = 1e-10)
})

test_that("each rank test and comparison of pairs can be called", {
  skip_without_python()
  for (test in c("friedman", "aligned_ranks", "quade", "skillings_mack")) {
    found <- pc_rank_tests(wide(), NULL, "data", accuracy, algorithms, test = test)
    expect_true(glance(found)$p_value > 0)
  }
  for (test in c("rank_pairs", "nemenyi", "max_t")) {
    found <- pc_rank_pairs(wide(), NULL, "data", accuracy, algorithms, test = test)
    expect_equal(nrow(tidy(found)), 6)
  }
  tukey <- tidy(pc_mean_pairs(long(), "algorithm", "data", accuracy))
  theirs <- TukeyHSD(aov(accuracy ~ data + algorithm, long()), "algorithm")$algorithm
  expect_equal(sort(tukey$p_adjusted), sort(unname(theirs[, "p adj"])), tolerance = 1e-6)
})

test_that("two algorithms agree with t.test and wilcox.test", {
  skip_without_python()
  w <- wide()
  two <- c("svm", "bayes")
  t <- glance(pc_two(w, NULL, "data", accuracy, two, test = "paired_t"))
  expect_equal(t$p_value, t.test(w$svm, w$bayes, paired = TRUE)$p.value, tolerance = 1e-11)
})

test_that("a comparison has decided pairs and a row of counts", {
  skip_without_python()
  found <- pc_compare(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms, plan = list(blocks = "datasets", adjust = "holm"))
  expect_equal(nrow(tidy(found)), 6)
  expect_equal(glance(found)$n_pairs, 6L)
  expect_equal(
    glance(found)$n_significant, sum(tidy(found)$p_adjusted <= glance(found)$alpha)
  )
  expect_equal(tidy(found)$p_adjusted, p.adjust(tidy(found)$p_value, "holm"))
  expect_output(print(found), "tree has the best rank by typical differences")
})

test_that("means over runs have the limits of Welch's t test", {
  skip_without_python()
  set.seed(4)
  d <- expand.grid(agent = c("A", "B"), task = c("u", "v"), run = 1:6)
  d$return <- rnorm(nrow(d)) * ifelse(d$task == "u", 1, 3)
  roles <- list("agent", "task", "run", c(return = "higher"))
  own <- tidy(do.call(pc_run_aggregates, c(list(d), roles)))
  of_a <- own[own$algorithm == "A" & own$aggregate == "mean", ]
  a <- d[d$agent == "A", ]
  welch <- t.test(a$return[a$task == "u"], -a$return[a$task == "v"])
  expect_equal(c(of_a$conf_low, of_a$conf_high), welch$conf.int[1:2] / 2, tolerance = 1e-10)
  pairs <- tidy(do.call(pc_run_pairs, c(list(d), roles)))
  expect_equal(nrow(pairs), 3)
  profiles <- tidy(do.call(pc_run_profiles, c(list(d), roles, draws = 200)))
  expect_equal(nrow(profiles), 24)
})

test_that("a linear model agrees with lm", {
  skip_without_python()
  found <- pc_linear_model(accuracy ~ data + algorithm, long())
  theirs <- anova(lm(accuracy ~ data + algorithm, long()))
  ours <- tidy(found)
  expect_equal(ours$p_value[match("algorithm", ours$term)],
    theirs["algorithm", "Pr(>F)"], tolerance = 1e-11)
})

test_that("readers and cases are compared", {
  skip_without_python()
  set.seed(1)
  d <- expand.grid(modality = c("A", "B"), reader = paste0("r", 1:4), case = 1:40)
  d$truth <- ifelse(d$case <= 20, "ill", "well")
  d$rating <- rnorm(nrow(d)) + (d$truth == "ill") + 0.4 * (d$modality == "B")
  found <- pc_mrmc(d, "modality", "reader", "case", "rating", "truth", "ill")
  expect_true(glance(found)$p_value < 1)
  curves <- d[d$reader == "r1", ]
  curves$fold <- "all"
  found <- pc_curves(curves, "modality", "fold", "truth", "rating", "ill", case = "case")
  expect_true(nrow(tidy(found)) > 0)
})

test_that("models are ranked by battles", {
  skip_without_python()
  set.seed(2)
  ends <- replicate(300, sample(c("A", "B", "C"), 2))
  d <- data.frame(model_a = ends[1, ], model_b = ends[2, ])
  d$winner <- sample(c("model_a", "tie", "model_b"), 300, TRUE)
  d$judge <- sample(1:25, 300, TRUE)
  found <- pc_battles(d, voter = "judge", model_1 = "model_a", model_2 = "model_b",
                      winner = "winner", adjust = "holm")
  ours <- tidy(found)
  expect_equal(ours$p_adjusted, p.adjust(ours$p_value, "holm"))
  expect_equal(glance(found)$voters, 25)
  file <- tempfile(fileext = ".csv")
  write.csv(d, file, row.names = FALSE)
  read <- pc_read_battles(file, both_bad = "drop")
  expect_equal(read$model_1, d$model_a)
  expect_setequal(read$winner, c("first", "tie", "second"))
  expect_equal(tidy(pc_battles(read, adjust = "holm"))$estimate, ours$estimate)
  expect_error(pc_battles(d[1:5, ]), "5 battles")
})

test_that("a data frame is read before it is compared", {
  reading <- pc_propose(wide())
  expect_equal(reading$table, "wide")
  expect_equal(reading$arguments$algorithms, names(wide())[-1])
  expect_length(reading$questions, 1)
  expect_output(print(reading), "pc_compare(data, block = \"data\"", fixed = TRUE)
  long <- data.frame(
    model = rep(c("a", "b"), 4), dataset = rep(letters[1:4], each = 2), accuracy = 1:8 / 9
  )
  certain <- pc_propose(long)
  expect_length(certain$questions, 0)
  expect_equal(certain$arguments$metrics, c(accuracy = "higher"))
  found <- do.call(pc_compare, c(list(long), certain$arguments))
  expect_s3_class(found, "pc_result")
  expect_error(pc_propose(list(1)), "data.frame", fixed = TRUE)
})

test_that("doubts about a table are answered from R", {
  table <- rbind(wide(), data.frame(data = "Average", t(colMeans(wide()[-1]))))
  ask <- function(...) {
    pc_friedman(table, block = "data", metrics = accuracy, algorithms = names(table)[-1],
                ...)
  }
  expect_error(ask(), "summary-row")
  left <- ask(leave_out = "block=Average")
  expect_equal(glance(left), glance(pc_friedman(
    wide(), block = "data", metrics = accuracy, algorithms = names(table)[-1]
  )))
  expect_equal(nrow(glance(ask(confirmed = "summary-row:Average"))), 1)
})

test_that("predicted classes and verdicts are read from R", {
  skip_without_python()
  true <- rep(c("cat", "dog", "bird"), 8)
  said <- list(a = replace(true, 1:4, "dog"), b = replace(true, 7:18, "cat"), c = rev(true))
  right <- as.data.frame(lapply(said, function(one) as.numeric(one == true)))
  table <- data.frame(id = paste0("q", seq_along(true)), label = true, said)
  ask <- function(table, ...) {
    glance(pc_rank_tests(table, NULL, "id", accuracy, c("a", "b", "c"),
      test = "cochran_q", ...))
  }
  wanted <- ask(data.frame(id = table$id, right))
  expect_equal(ask(table, truth = "label"), wanted)
  verdicts <- as.data.frame(lapply(right, function(one) ifelse(one == 1, "pass", "fail")))
  expect_equal(ask(data.frame(id = table$id, verdicts), one_is = "pass"), wanted)
})

test_that("the power of a plan file counts what compare finds", {
  skip_without_python()
  plan <- tempfile(fileext = ".toml")
  writeLines(c(
    "[data]", "file = \"scores.csv\"", "format = \"wide\"", "block = \"dataset\"",
    "algorithms = [\"new\", \"old\"]",
    "[metrics]", "accuracy = \"higher\"",
    "[plan]", "blocks = \"datasets\"", "compares = \"means\""
  ), plan)
  found <- pc_planned_power(plan, c(10, 20), c(new = 0.03), 0.6, sd = 0.05,
    trials = 60, seed = 3)
  shares <- tidy(found)
  alone <- shares[shares$conclusion == "better", ]
  expect_equal(alone$n, c(10, 20))
  sd <- 0.05 * sqrt(2 * (1 - 0.6))
  for (i in 1:2) {  # two algorithms: the paired t test
    power <- power.t.test(alone$n[i], 0.03, sd, type = "paired", strict = TRUE)$power
    expect_lt(abs(alone$share[i] - power), 3 * sqrt(power * (1 - power) / 60))
    limits <- binom.test(round(60 * alone$share[i]), 60)$conf.int
    expect_equal(c(alone$conf_low[i], alone$conf_high[i]), limits[1:2], tolerance = 1e-10)
  }
  expect_error(pc_planned_power(plan, 10, c(new = 0.03), 0.6), "needs sd",
    class = "pycompare_error")
  expect_error(pc_planned_power(plan, 10, 0.03, 0.6), "effects: name")
})

test_that("the power of several metrics and groups has a named list of effects", {
  skip_without_python()
  plan <- tempfile(fileext = ".toml")
  writeLines(c(
    "[data]", "file = \"x.csv\"", "algorithm = \"m\"", "block = \"d\"",
    "group = \"g\"",
    "[metrics]", "u = \"higher\"", "w = \"higher\"",
    "[plan]", "blocks = \"datasets\"", "family = \"metric\""
  ), plan)
  shares <- tidy(pc_planned_power(plan, 12,
    list(u = c("algorithm 1" = 1), w = c("algorithm 2" = 1)), 0.6,
    sd = c(u = 0.1, w = 0.1), metric_correlation = 0, n_algorithms = 2, trials = 3,
    group_shares = c(a = 1, b = 1)
  ))
  better <- shares[shares$conclusion == "better", ]
  expect_equal(better$metric, c("u", "w", "u", "w"))
  expect_equal(better$algorithm_1, c(
    "algorithm 1", "algorithm 2", "algorithm 1", "algorithm 2"
  ))
})

test_that("diagnostic tests and probabilities are columns", {
  skip_without_python()
  set.seed(4)
  d <- data.frame(risk = runif(200))
  d$ill <- ifelse(runif(200) < d$risk, "yes", "no")
  d$blurred <- pmin(pmax(d$risk + rnorm(200) / 5, 0), 1)
  benefit <- tidy(pc_net_benefit(d, "ill", c("risk", "blurred"), "yes", c(0.2, 0.4)))
  worth <- ifelse(d$ill == "yes", 1, -0.25)
  test <- t.test(worth * (d$risk >= 0.2) - worth * (d$blurred >= 0.2))
  expect_equal(benefit$p_value[1], test$p.value, tolerance = 1e-10)
  one <- tidy(pc_net_benefit(d, "ill", "risk", "yes", 0.3))
  expect_equal(one$algorithm_2, c("treat all", "treat none"))
  errors <- tidy(pc_calibration_error(d, "ill", c("risk", "blurred"), "equal-mass", 8,
    positive = "yes"
  ))
  wanted <- pc_reference("calibration_error")$calibration_error_reference(
    (d$ill == "yes") * 1, d[c("risk", "blurred")], "equal-mass", 8
  )
  expect_equal(errors$conf_high, wanted$conf_high, tolerance = 1e-9)
  curves <- tidy(pc_curve_dominance(d, "ill", c("risk", "blurred"), "yes",
    resamples = 99
  ))
  wanted <- pc_reference("curve_dominance")$curve_dominance_reference(
    (d$ill == "yes") * 1, d[c("risk", "blurred")], NULL, "roc", 0, 1, 0.95
  )
  expect_equal(curves$estimate, wanted$difference, tolerance = 1e-12)
  d$high <- d$risk > 0.5
  d$also <- d$blurred > 0.5
  ratios <- tidy(pc_diagnostic_pairs(d, "ill", c("high", "also"), "yes"))
  expect_equal(ratios$estimate[ratios$measure == "ppv"],
    mean(d$ill[d$high] == "yes") / mean(d$ill[d$also] == "yes"), tolerance = 1e-12)
})

test_that("one learner has its intervals", {
  skip_without_python()
  set.seed(5)
  d <- data.frame(x = rnorm(60), fold = rep(1:5, 12))
  d$y <- as.integer(d$x + rnorm(60) > 0)
  d$noise <- rnorm(60)
  d$wrong <- as.numeric((d$x > 0) != d$y)
  errors <- tidy(pc_cv_error_intervals(d, "wrong", "fold"))
  expect_equal(errors$estimate, rep(mean(d$wrong), 2))
  pairs <- tidy(pc_cv_auc_pairs(d, "y", c("x", "noise"), "fold", 1))
  area <- function(v) {
    mean(vapply(split(d, d$fold), function(one) {
      mean(outer(one[[v]][one$y == 1], one[[v]][one$y == 0], ">"))
    }, 0))
  }
  expect_equal(pairs$estimate, area("x") - area("noise"), tolerance = 1e-12)
  seen <- 0
  losses <- function(train, test) {
    seen <<- max(seen, train, test)
    as.numeric((d$x[test] > median(d$x[train])) != d$y[test])
  }
  nested <- pc_nested_cv(losses, 60, n_folds = 5, repeats = 4)
  expect_equal(seen, 60)
  expect_true(glance(nested)$conf_low < glance(nested)$conf_high)
  expect_error(pc_nested_cv("losses", 60), "losses: give a function")
})

test_that("a standalone reader is compared with the others", {
  skip_without_python()
  set.seed(6)
  d <- expand.grid(reader = c("AI", paste0("r", 1:4)), case = 1:40)
  d$modality <- "film"
  d$ill <- d$case <= 20
  d$rating <- rnorm(nrow(d)) + d$ill
  found <- tidy(pc_standalone(d, "modality", "reader", "case", "rating", "AI", "ill", TRUE,
    cases = "fixed"
  ))
  area <- vapply(split(d, d$reader), function(one) {
    mean(outer(one$rating[one$ill], one$rating[!one$ill], ">"))
  }, 0)
  test <- t.test(area[["AI"]] - area[names(area) != "AI"])
  expect_equal(found$p_value, test$p.value, tolerance = 1e-10)
})

test_that("marks of readers are lesions and normal cases", {
  skip_without_python()
  set.seed(8)
  cases <- data.frame(case = 1:30, n = rep(0:1, each = 15))
  d <- expand.grid(reader = 1:3, modality = c("a", "b"), case = 1:30)
  d$on <- ifelse(d$case > 15, "left", NA)
  d$rating <- rnorm(nrow(d)) + (d$case > 15)
  found <- tidy(pc_mrmc(d, "modality", "reader", "case", "rating", lesion = "on",
    n_lesions = "n", case_table = cases, figure = "wafroc"
  ))
  d$ill <- d$case > 15
  same <- tidy(pc_mrmc(d, "modality", "reader", "case", "rating", "ill", TRUE))
  expect_equal(found$p_value, same$p_value, tolerance = 1e-9)
  expect_error(
    pc_mrmc(d, "modality", "reader", "case", "rating", lesion = "on"),
    "of marks: give all of them"
  )
  expect_error(
    pc_mrmc(d, "modality", "reader", "case", "rating", "ill", TRUE, lesion = "on",
      n_lesions = "n", case_table = cases, figure = "wafroc"
    ),
    "truth is of ratings of cases"
  )
})

test_that("studies are put together as metafor does", {
  skip_without_python()
  set.seed(7)
  d <- data.frame(y = rnorm(8), se = runif(8, 0.2, 0.6), study = letters[1:8])
  found <- tidy(pc_synthesis(d, "y", "se", "study", level = 0.9))
  skip_if_not_installed("metafor")
  fit <- metafor::rma(
    yi = y, sei = se, data = d, method = "REML", test = "knha", level = 90,
    control = list(threshold = 1e-12, maxiter = 1000)
  )
  expect_equal(found$p_value, fit$pval, tolerance = 1e-6)
  d$first <- "A"
  d$second <- "B"
  pairs <- tidy(pc_network_synthesis(d, "y", "se", "study", "first", "second"))
  expect_equal(pairs$p_value, found$p_value, tolerance = 1e-9)
})
