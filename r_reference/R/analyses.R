# One function for each analysis; all of them give a pc_result.

pc_compare <- function(data, algorithm = NULL, block = NULL, metrics, algorithms = NULL,
                       dataset = NULL, replicate = NULL, group = NULL, cluster = NULL,
                       missing = NULL, plan = list(), worst = NULL, na = NULL,
                       leave_out = NULL, confirmed = NULL, transpose = NULL,
                       number = NULL, metric_column = NULL, value = NULL,
                       truth = NULL, one_is = NULL) {
  roles <- score_roles(
    algorithm, block, algorithms, metrics,
    dataset = dataset, replicate = replicate, group = group, cluster = cluster,
    missing = missing, worst = worst, na = listed(na),
    leave_out = listed(leave_out), confirmed = listed(confirmed), transpose = transpose,
    number = number, metric_column = metric_column, value = value,
    truth = truth, one_is = one_is
  )
  check_arguments(plan)
  pc_call("compare", data, roles, if (length(plan) > 0) list(plan = plan) else list())
}

# How a data frame would be read: what is certain, and what only its owner knows.
pc_propose <- function(data) {
  check_frame(data)
  answer <- answered(client()$propose(to_python(data)))
  arguments <- lapply(answer$arguments, function(value) {
    if (is.null(names(value))) unlist(value) else unlist(as.list(value))
  })
  structure(
    list(
      table = answer$table,
      arguments = arguments,
      questions = as.character(unlist(answer$questions)),
      understood = as.character(unlist(answer$understood))
    ),
    class = "pc_reading"
  )
}

print.pc_reading <- function(x, ...) {
  cat(x$understood, sep = "\n")
  if (length(x$arguments) > 0 && x$table != "predictions") {
    written <- vapply(x$arguments, function(v) paste(deparse(v), collapse = ""), "")
    written <- paste(names(written), "=", written, collapse = ", ")
    cat("\npc_compare(data, ", written, ")\n", sep = "")
  }
  if (length(x$questions) > 0) {
    cat("\n", paste0(seq_along(x$questions), ". ", x$questions, "\n"), sep = "")
  }
  invisible(x)
}

pc_anova <- function(data, algorithm = NULL, block = NULL, metrics, algorithms = NULL,
                     ...) {
  on_scores("anova", data, algorithm, block, metrics, algorithms, ...)
}

pc_manova <- function(data, algorithm, block, metrics, ...) {
  on_scores("manova", data, algorithm, block, metrics, NULL, ...)
}

pc_friedman <- function(data, algorithm = NULL, block = NULL, metrics, algorithms = NULL,
                        ...) {
  on_scores("friedman", data, algorithm, block, metrics, algorithms, ...)
}

pc_rank_tests <- function(data, algorithm = NULL, block = NULL, metrics,
                          algorithms = NULL,
                          test = "friedman", ...) {
  on_scores(test, data, algorithm, block, metrics, algorithms, ...)
}

pc_rank_pairs <- function(data, algorithm = NULL, block = NULL, metrics,
                          algorithms = NULL,
                          test = "rank_pairs", ...) {
  on_scores(test, data, algorithm, block, metrics, algorithms, ...)
}

pc_mean_pairs <- function(data, algorithm = NULL, block = NULL, metrics,
                          algorithms = NULL,
                          test = "tukey", ...) {
  on_scores(test, data, algorithm, block, metrics, algorithms, ...)
}

pc_two <- function(data, algorithm = NULL, block = NULL, metrics, algorithms = NULL,
                   test = "wilcoxon", ...) {
  on_scores(test, data, algorithm, block, metrics, algorithms, ...)
}

on_scores <- function(name, data, algorithm, block, metrics, algorithms, ...,
                      missing = NULL, worst = NULL, na = NULL, leave_out = NULL,
                      confirmed = NULL, transpose = NULL, number = NULL, value = NULL,
                      truth = NULL, one_is = NULL, range = NULL, cluster = NULL) {
  roles <- score_roles(
    algorithm, block, algorithms, metrics, missing = missing, worst = worst,
    na = listed(na), leave_out = listed(leave_out), confirmed = listed(confirmed),
    transpose = transpose, number = number, value = value, truth = truth,
    one_is = one_is, range = range, cluster = cluster
  )
  pc_call(name, data, roles, list(...))
}

pc_curves <- function(data, algorithm = NULL, block = NULL, label, score = NULL,
                      positive, case = NULL, dataset = NULL, algorithms = NULL, ...) {
  roles <- list(
    algorithm = algorithm, block = block, label = label, score = score,
    positive = positive, case = case, dataset = dataset,
    algorithms = listed(algorithms)
  )
  pc_call("compare_curves", data, roles, list(...), "predictions")
}

# Ratings, or with lesion free-response marks: case_table has a row for each case.
pc_mrmc <- function(data, modality, reader, case, rating, truth = NULL, positive = NULL,
                    cluster = NULL, design = "factorial", lesion = NULL,
                    n_lesions = NULL, case_table = NULL, ...) {
  roles <- reader_roles(
    modality, reader, case, rating, truth, positive, cluster, design, lesion, n_lesions,
    case_table
  )
  pc_call("mrmc", data, roles, list(...), "ratings")
}

reader_roles <- function(modality, reader, case, rating, truth, positive, cluster, design,
                         lesion, n_lesions, case_table) {
  of_marks <- list(lesion, n_lesions, case_table)
  given <- !vapply(of_marks, is.null, NA)
  if (any(given) && !all(given)) {
    stop("lesion, n_lesions and case_table are of marks: give all of them", call. = FALSE)
  }
  if (any(given)) {
    check_frame(case_table)
    case_table <- to_python(case_table, c(case, n_lesions))
  }
  list(
    modality = modality, reader = reader, case = case, rating = rating, truth = truth,
    positive = positive, cluster = cluster, design = design, lesion = lesion,
    n_lesions = n_lesions, case_table = case_table
  )
}

# Battles of a file, with one name for each outcome; pc_battles takes the data frame.
pc_read_battles <- function(file, model_1 = NULL, model_2 = NULL, winner = NULL,
                            voter = NULL, group = NULL, both_bad = NULL, ...) {
  check_path(file, "file")
  check_arguments(list(...))
  arguments <- list(
    model_1 = model_1, model_2 = model_2, winner = winner, voter = voter,
    group = group, both_bad = both_bad, ...
  )
  found <- client()$read_battles(path.expand(file), as_mapping(arguments))
  from_python(answered(found)$table)
}

pc_battles <- function(data, model_1 = NULL, model_2 = NULL, winner = NULL,
                       voter = NULL, group = NULL, both_bad = NULL, ...) {
  roles <- list(
    model_1 = model_1, model_2 = model_2, winner = winner, voter = voter,
    group = group, both_bad = both_bad
  )
  pc_call("battles", data, roles, list(...), "battles")
}

pc_gate <- function(data, algorithm, block, metrics, baseline, candidate, margin,
                    slices = NULL, replicate = NULL, cluster = NULL, missing = NULL, ...) {
  check_frame(data)
  for (name in c(block, slices)) {
    if (!name %in% names(data)) stop("there is no column ", name, call. = FALSE)
  }
  roles <- score_roles(algorithm, block, NULL, metrics,
    replicate = replicate, cluster = cluster, missing = missing
  )
  # The label of each item, in the order in which items first stand in the data.
  first <- match(unique(data[[block]]), data[[block]])
  labels <- lapply(setNames(nm = slices), function(name) {
    as.list(as.character(data[[name]][first]))
  })
  arguments <- list(baseline = baseline, candidate = candidate, margin = margin, ...)
  if (length(slices) > 0) arguments$slices <- labels
  pc_call("gate", data, roles, arguments)
}

pc_labels <- function(data, algorithm, block, judge, metrics, chosen, stratum = NULL,
                      replicate = NULL, missing = NULL, ...) {
  check_frame(data)
  roles <- score_roles(algorithm, block, NULL, metrics,
    replicate = replicate, missing = missing, judge = judge, stratum = stratum
  )
  pc_call("labels", data, roles, list(chosen = chosen, ...))
}

pc_challenge <- function(data, algorithm, block, metrics, ranking, group = NULL,
                         cluster = NULL, missing = NULL, worst = NULL, ...) {
  check_frame(data)
  roles <- score_roles(algorithm, block, NULL, metrics,
    group = group, cluster = cluster, missing = missing, worst = worst
  )
  pc_call("challenge", data, roles, list(ranking = ranking, ...))
}

pc_item_table <- function(data, algorithm, block, metrics, replicate = NULL,
                          cluster = NULL, ...) {
  roles <- score_roles(algorithm, block, NULL, metrics,
    replicate = replicate, cluster = cluster
  )
  pc_call("item_table", data, roles, list(...))
}

pc_run_aggregates <- function(data, algorithm, block, replicate, metrics, ...) {
  of_runs("run_aggregates", data, algorithm, block, replicate, metrics, ...)
}

pc_run_pairs <- function(data, algorithm, block, replicate, metrics, ...) {
  of_runs("run_pairs", data, algorithm, block, replicate, metrics, ...)
}

pc_run_profiles <- function(data, algorithm, block, replicate, metrics, ...) {
  of_runs("run_profiles", data, algorithm, block, replicate, metrics, ...)
}

of_runs <- function(called, data, algorithm, block, replicate, metrics, ...) {
  roles <- score_roles(algorithm, block, NULL, metrics, replicate = replicate)
  pc_call(called, data, roles, list(...))
}

pc_linear_model <- function(formula, data, ...) {
  if (inherits(formula, "formula")) formula <- paste(deparse(formula), collapse = " ")
  pc_call("linear_model", data, list(), list(formula = formula, ...), "table")
}

pc_adjust <- function(p, method, monotone = FALSE) {
  square <- is.matrix(p)
  columns <- if (square) as.data.frame(p) else data.frame(p = as.double(p))
  answer <- ask(
    "adjust", "p", to_python(columns), list(), list(method = method, monotone = monotone)
  )
  found <- answer$tables$p_adjusted
  if (!square) return(setNames(found[[1]], names(p)))
  structure(as.matrix(found), dimnames = dimnames(p))
}

# No data yet: how often compare finds true differences, by a plan file.
pc_planned_power <- function(plan, n, effects, correlation = NULL, ...) {
  if (!is.character(plan) || length(plan) != 1 || is.na(plan)) {
    stop("plan: give the path of one plan file", call. = FALSE)
  }
  if (is.null(names(effects)) || !all(nzchar(names(effects)))) {
    stop("effects: name the algorithm of each, such as c(new = 0.02)", call. = FALSE)
  }
  arguments <- c(list(effects = effects), list(...))
  arguments$correlation <- correlation
  arguments <- lapply(arguments, named_as_lists)
  check_arguments(c(arguments, list(n = n)))
  roles <- list(plan = normalizePath(plan, mustWork = FALSE))
  arguments$n <- as.list(as.double(n))
  ask("planned_power", "plan", reticulate::dict(), roles, arguments)
}

# Python reads names of lists alone, not of vectors: c(new = 0.02).
named_as_lists <- function(x) {
  if (is.null(names(x))) return(x)
  lapply(as.list(x), named_as_lists)
}

# Labels and the columns of several tests or scores, one row for each case.
pc_diagnostic_pairs <- function(data, label, results, positive, ...) {
  of_columns("diagnostic_pairs", data, list(label = label, results = listed(results)),
    positive = positive, ...)
}

pc_net_benefit <- function(data, label, scores, positive, threshold, ...) {
  of_columns("net_benefit", data, list(label = label, scores = listed(scores)),
    positive = positive, threshold = threshold, ...)
}

pc_calibration_error <- function(data, label, scores, bins, n_bins, positive = NULL, ...) {
  of_columns("calibration_error", data, list(label = label, scores = listed(scores)),
    bins = bins, n_bins = n_bins, positive = positive, ...)
}

pc_curve_dominance <- function(data, label, scores, positive, ...) {
  of_columns("curve_dominance", data, list(label = label, scores = listed(scores)),
    positive = positive, ...)
}

pc_cv_error_intervals <- function(data, loss, fold, replicate = NULL, ...) {
  of_columns("cv_error_intervals", data,
    list(loss = loss, fold = fold, "repeat" = replicate), ...)
}

pc_cv_auc_pairs <- function(data, label, scores, fold, positive, replicate = NULL,
                            case = NULL, ...) {
  roles <- list(
    label = label, scores = listed(scores), fold = fold, "repeat" = replicate, case = case
  )
  of_columns("cv_auc_pairs", data, roles, positive = positive, ...)
}

# Estimates of studies with their standard errors, one row for each.
pc_synthesis <- function(data, estimate, std_error, study = NULL, ...) {
  roles <- list(estimate = estimate, std_error = std_error, study = study)
  of_columns("synthesis", data, roles, ...)
}

pc_network_synthesis <- function(data, estimate, std_error, study, algorithm_1,
                                 algorithm_2, ...) {
  roles <- list(
    estimate = estimate, std_error = std_error, study = study,
    algorithm_1 = algorithm_1, algorithm_2 = algorithm_2
  )
  of_columns("network_synthesis", data, roles, ...)
}

# Columns are arguments of the function by their roles.
of_columns <- function(called, data, roles, ...) {
  arguments <- Filter(Negate(is.null), list(...))
  pc_call(called, data, roles, arguments, "columns")
}

# losses(train, test): rows of training and test cases, from 1; the losses of the latter.
pc_nested_cv <- function(losses, n_cases, ...) {
  if (!is.function(losses)) {
    stop("losses: give a function of the rows of training and test cases", call. = FALSE)
  }
  check_arguments(list(n_cases = n_cases, ...))
  rows <- function(places) as.integer(unlist(places)) + 1L
  from_one <- function(train, test) as.list(as.double(losses(rows(train), rows(test))))
  ask("nested_cv", "learner", reticulate::dict(), list(losses = from_one),
    list(n_cases = n_cases, ...))
}

pc_standalone <- function(data, modality, reader, case, rating, standalone, truth = NULL,
                          positive = NULL, cluster = NULL, design = "factorial",
                          lesion = NULL, n_lesions = NULL, case_table = NULL, ...) {
  roles <- reader_roles(
    modality, reader, case, rating, truth, positive, cluster, design, lesion, n_lesions,
    case_table
  )
  pc_call("standalone", data, roles, list(reader = standalone, ...), "ratings")
}
