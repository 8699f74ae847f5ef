# Calls of public functions of pycompare.

# Any public function whose first argument are data: reads states which kind.
pc_call <- function(name, data, roles = list(), arguments = list(),
                    reads = c("scores", "predictions", "ratings", "table", "battles", "columns")) {
  reads <- match.arg(reads)
  check_frame(data)
  check_roles(roles, data)
  check_arguments(arguments)
  if (is.null(roles$number)) {
    levelled <- unlist(roles[c("dataset", "block", "algorithm", "reader", "modality")])
    # Labels of haven are levels, too.
    labelled <- vapply(data, inherits, NA, "haven_labelled")
    data[labelled] <- lapply(data[labelled], plain_column)
    data <- in_order_of_levels(data, levelled)
  }
  named <- unlist(roles[setdiff(names(roles), not_columns)])
  ask(name, reads, to_python(data, c(named, names(roles$metrics))), roles, arguments)
}

ask <- function(name, reads, columns, roles, arguments) {
  call <- client()$call
  answer <- call(
    state$public, name, reads, columns, as_mapping(roles), as_mapping(arguments)
  )
  pc_result(answered(answer), name)
}

pc_result <- function(answer, name) {
  structure(
    list(
      name = name,
      tables = lapply(answer$tables, from_python),
      glance = from_python(answer$glance),
      text = answer$text,
      code = answer$code,
      object = answer$object
    ),
    class = "pc_result"
  )
}

# Named vectors and lists are mappings in Python; NULL is left out.
as_mapping <- function(values) {
  values <- lapply(values, function(value) {
    if (!is.null(names(value))) as_mapping(as.list(value)) else value
  })
  values <- Filter(Negate(is.null), values)
  if (length(values) == 0) reticulate::dict() else values
}

check_arguments <- function(arguments) {
  named <- length(arguments) == 0 ||
    (!is.null(names(arguments)) && all(nzchar(names(arguments))))
  if (!named) stop("each further argument needs its name", call. = FALSE)
  for (name in names(arguments)) {
    if (anyNA(unlist(arguments[[name]]))) {
      stop(name, ": NA is not allowed; leave the argument out", call. = FALSE)
    }
  }
}

# Roles name columns; what they say of metrics is a direction.
check_roles <- function(roles, data) {
  named <- unlist(roles[setdiff(names(roles), not_columns)])
  # "column/2" is the second part of the labels of a column.
  whole <- ifelse(named %in% names(data), named, sub("/-?[1-9][0-9]*$", "", named))
  scored <- if (is.null(roles$value)) names(roles$metrics)
  lost <- setdiff(c(whole, scored), names(data))
  if (length(lost) > 0) {
    stop("data has no column '", lost[1], "'; it has ",
      paste0("'", names(data), "'", collapse = ", "), call. = FALSE)
  }
}

not_columns <- c(
  "metrics", "metric", "better", "missing", "positive", "design", "one_class", "rest",
  "classes", "worst", "na", "leave_out", "confirmed", "transpose",
  "number", "one_is", "both_bad", "n_lesions", "case_table"
)

# Texts as a list, one of them too; NULL stays.
listed <- function(texts) if (is.null(texts)) NULL else as.list(as.character(texts))

# Columns of a table of scores: long with algorithm and block, or wide with algorithms.
score_roles <- function(algorithm, block, algorithms, metrics, ..., transpose = NULL) {
  directed <- !is.null(names(metrics)) && all(metrics %in% c("higher", "lower"))
  if (!directed) {
    stop(
      "metrics: name each metric with its better direction, such as ",
      "c(accuracy = \"higher\")", call. = FALSE
    )
  }
  if (is.null(algorithms) && !isTRUE(transpose)) {
    return(list(algorithm = algorithm, block = block, metrics = metrics, ...))
  }
  list(
    algorithms = listed(algorithms), transpose = transpose, block = block, metric = names(metrics)[1],
    better = unname(metrics)[1], ...
  )
}
