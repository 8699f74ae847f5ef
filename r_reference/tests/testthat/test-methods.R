test_that("autoplot draws the numbers of a table as an object of ggplot2", {
  skip_without_python()
  skip_if_not_installed("ggplot2")
  expect_false("autoplot" %in% getNamespaceExports("pycompare"))
  found <- pc_mean_pairs(long(), "algorithm", "data", accuracy)
  table <- tidy(found)
  drawn <- ggplot2::autoplot(found)
  expect_s3_class(drawn, "ggplot")
  expect_equal(drawn$data$estimate, table$estimate)
  expect_equal(drawn$data$low, table$conf_low)
  expect_equal(
    as.character(drawn$data$label), paste(table$algorithm_1, "-", table$algorithm_2)
  )
  expect_equal(nrow(ggplot2::layer_data(drawn, 1)), nrow(table))
  model <- pc_linear_model(accuracy ~ data + algorithm, long())
  means <- grep("^Means of.*algorithm", names(summary(model)), value = TRUE)
  by_means <- ggplot2::autoplot(model, means)
  expect_setequal(as.character(by_means$data$label), algorithms)
  expect_error(ggplot2::autoplot(found, "none"), "there is no table")
})

test_that("pictures are SVG and can be drawn on a device", {
  skip_without_python()
  found <- pc_rank_pairs(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms)
  picture <- pc_picture(found)
  expect_match(picture$svg, "<svg")
  expect_equal(picture$picture, "critical_difference")
  expect_equal(pc_picture(found, "p_matrix")$picture, "p_matrix")
  expect_error(pc_picture(found, "save"), "no picture")
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  plot(found)
  grDevices::dev.off()
  expect_gt(file.size(file), 2000)
})

test_that("R code of a result runs and has its numbers", {
  skip_without_python()
  found <- pc_friedman(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms)
  made <- NULL
  printed <- capture.output(made <- eval(parse(text = pc_r_code(found)), new.env()))
  expect_equal(made$statistic, glance(found)$statistic, tolerance = 1e-12)
})

test_that("a report folder is written", {
  skip_without_python()
  folder <- file.path(tempfile(), "report")
  dir.create(dirname(folder))
  found <- pc_compare(wide(), block = "data", metrics = accuracy,
    algorithms = algorithms, plan = list(blocks = "datasets"))
  pc_report(found, folder, formats = "text")
  expect_true(file.exists(file.path(folder, "results.json")))
  expect_error(pc_report(found, folder), class = "pycompare_error")
})

test_that("reference functions bring the files that they need", {
  use <- pc_reference("friedman")
  x <- as.matrix(wide()[-1])
  rownames(x) <- wide()$data
  found <- use$friedman_reference(x, better = "higher", ties = "corrected")
  expect_equal(found$statistic, unname(friedman.test(x)$statistic), tolerance = 1e-12)
  expect_error(pc_reference("nothing"), "no reference functions")
})
