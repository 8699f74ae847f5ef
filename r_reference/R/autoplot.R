# Results as objects of ggplot2, of the numbers in their tables.

utils::globalVariables(c("label", "estimate", "low", "high", "panel"))

# A method of ggplot2's generic, once that package is loaded: no generic of our own masks
# it, and the package works without it.
autoplot.pc_result <- function(object, table = NULL, ...) {
  if (!is.null(table)) {
    tidy.pc_result(object, table)
    if (!is.character(table)) table <- names(object$tables)[table]
  }
  wanted <- if (is.null(table)) names(object$tables) else table
  for (name in wanted) {
    drawn <- drawn_numbers(object$tables[[name]])
    if (!is.null(drawn)) return(intervals_plot(drawn, name))
  }
  stop(
    "table: ", if (is.null(table)) "no table" else paste0("'", table, "' is none that"),
    " has labels and estimates; pc_picture() has the figures of pycompare", call. = FALSE
  )
}

# Columns that hold what a row is an estimate of, the first of which is drawn.
estimate_columns <- c("estimate", "mean", "rank", "area", "power")

# Labels, estimates and limits of the rows of a table; NULL if it has no estimates.
drawn_numbers <- function(table) {
  column <- intersect(estimate_columns, names(table))[1]
  named <- vapply(table, is.character, NA)
  numbers <- if (!is.na(column)) suppressWarnings(as.numeric(table[[column]]))
  if (is.na(column) || !any(named) || all(is.na(numbers))) return(NULL)
  ends <- if (column == "rank") c("rank_low", "rank_high") else c("conf_low", "conf_high")
  limit <- function(name) {
    if (is.null(table[[name]])) NA_real_ else as.numeric(table[[name]])
  }
  pairs <- all(c("algorithm_1", "algorithm_2") %in% names(table))
  own <- if (pairs) c("algorithm_1", "algorithm_2") else names(table)[named][1]
  label <- do.call(paste, c(unname(as.list(table[own])), sep = " - "))
  others <- intersect(c("metric", "response", "group"), names(table)[named])
  others <- setdiff(others, own)
  panel <- if (length(others) > 0) do.call(paste, unname(as.list(table[others]))) else ""
  drawn <- data.frame(
    label = factor(label, levels = rev(unique(label))), estimate = numbers,
    low = limit(ends[1]), high = limit(ends[2]), panel = panel
  )
  attr(drawn, "column") <- column
  attr(drawn, "null") <- if (pairs) 0
  drawn
}

intervals_plot <- function(drawn, title) {
  plot <- ggplot2::ggplot(drawn, ggplot2::aes(x = estimate, y = label)) +
    ggplot2::geom_point() +
    ggplot2::labs(x = attr(drawn, "column"), y = NULL, title = title)
  known <- drawn[!is.na(drawn$low) & !is.na(drawn$high), ]
  if (nrow(known) > 0) {
    ends <- ggplot2::aes(x = low, xend = high, y = label, yend = label)
    plot <- plot + ggplot2::geom_segment(ends, data = known)
  }
  if (!is.null(attr(drawn, "null"))) {
    plot <- plot + ggplot2::geom_vline(xintercept = attr(drawn, "null"), linetype = 2)
  }
  if (length(unique(drawn$panel)) > 1) plot <- plot + ggplot2::facet_wrap("panel")
  plot
}
