# A term tested by permutations of residuals under the hypothesis (Freedman and Lane):
# vegan::permutest(model = "reduced") of vegan::rda, response by response; Wilks' lambda
# of all responses from determinants. Needs linear_model.R.

# unit: the unit of each row, whose means are analysed; coarser: kinds of units above.
# orders: one permutation of the units per row, or NULL; listed: these are all there are.
permuted_term_reference <- function(y, codes = NULL, x = NULL, terms, term, units = "",
                                    constant = TRUE, type = 2, unit, coarser = NULL,
                                    orders = NULL, listed = FALSE) {
  data <- model_data(y, codes, x)
  space <- with_sum_contrasts(
    term_spaces(
      data, unlist(terms), term, constant, type, unit, as.character(unlist(coarser))
    )
  )
  means <- rowsum(y, unit) / as.vector(table(unit))
  rows <- lapply(seq_len(ncol(y)), function(j) {
    one_response(means[, j, drop = FALSE], space, orders, listed)
  })
  if (ncol(y) > 1) rows <- c(rows, list(all_responses(means, space, orders, listed)))
  found <- do.call(rbind, rows)
  as.list(as.data.frame(found))
}

span <- function(columns) {
  parts <- svd(columns)
  parts$u[, parts$d > 1e-9 * max(parts$d, 1e-300), drop = FALSE]
}

left_of <- function(columns, basis) columns - basis %*% crossprod(basis, columns)

# Bases in the space of the units: of the term, and of all else that is estimated.
term_spaces <- function(data, terms, term, constant, type, unit, coarser) {
  x <- model.matrix(model_formula("", terms, "", constant), data)
  assign <- attr(x, "assign")
  first <- !duplicated(unit)
  x <- rowsum(x, unit) / as.vector(table(unit))
  kinds <- lapply(strsplit(coarser, ":", fixed = TRUE), function(names) {
    cells <- interaction(data[first, names], drop = TRUE)[order(unit[first])]
    outer(as.integer(cells), seq_len(nlevels(cells)), "==") + 0
  })
  above <- span(do.call(cbind, c(list(rep(1, nrow(x))), kinds)))
  lengths <- sqrt(colSums(x^2))
  x <- left_of(x, above)
  x[, sqrt(colSums(x^2)) <= 1e-9 * lengths] <- 0
  names <- strsplit(terms, ":", fixed = TRUE)
  place <- match(term, terms)
  contains <- vapply(names, function(one) all(names[[place]] %in% one), NA)
  others <- switch(type,
    seq_len(place - 1), which(!contains), setdiff(seq_along(terms), place)
  )
  own <- left_of(x[, assign == place, drop = FALSE], span_of(x, assign %in% others))
  q <- span(own)
  if (type == 3 && qr(x)$rank < sum(colSums(x^2) > 0)) {
    as_units <- function(columns) {
      columns <- rowsum(columns, unit) / as.vector(table(unit))
      lengths <- sqrt(colSums(columns^2))
      columns <- left_of(columns, above)
      columns[, sqrt(colSums(columns^2)) <= 1e-9 * lengths] <- 0
      columns
    }
    q <- bases_with_empty_cells(terms, FALSE, data, as_units)[[place]]
  }
  rest <- left_of(x, q)
  rest[, sqrt(colSums(rest^2)) <= 1e-9 * lengths] <- 0
  list(q = q, above = cbind(above, span_of(rest, rep(TRUE, ncol(rest)))))
}

span_of <- function(x, chosen) {
  x <- x[, chosen, drop = FALSE]
  if (ncol(x) == 0 || all(x == 0)) return(matrix(0, nrow(x), 0))
  span(x)
}

degrees <- function(space) {
  c(df1 = ncol(space$q), df2 = nrow(space$q) - ncol(space$q) - ncol(space$above))
}

# Shares of variation that reach the observed one, rounding allowed for.
share_of_orders <- function(share, observed, listed) {
  extra <- if (listed) 0 else 1
  (sum(share >= observed - 1e-10) + extra) / (length(share) + extra)
}

one_response <- function(y, space, orders, listed) {
  df <- degrees(space)
  # vegan centres; what is constant is among the conditions.
  fit <- vegan::rda(y, space$q, space$above[, -1, drop = FALSE])
  if (ncol(space$above) == 1) fit <- vegan::rda(y, space$q)
  known <- !is.null(orders)
  made <- vegan::permutest(fit, permutations = if (known) orders else 1,
                           model = "reduced")
  share <- function(f) 1 - 1 / (1 + f * df[["df1"]] / df[["df2"]])
  row <- c(df, statistic = unname(made$F.0))
  if (known) {
    p <- share_of_orders(share(as.vector(made$F.perm)), share(made$F.0), listed)
    row <- c(row, p_value = unname(p))
  }
  row
}

all_responses <- function(y, space, orders, listed) {
  rest <- left_of(y, space$above)
  rest <- sweep(rest, 2, sqrt(colSums(rest^2)), "/")
  lambda <- function(order) {
    total <- left_of(rest[order, , drop = FALSE], space$above)
    det(crossprod(left_of(total, space$q))) / det(crossprod(total))
  }
  observed <- lambda(seq_len(nrow(y)))
  row <- c(degrees(space), statistic = observed)
  if (!is.null(orders)) {
    share <- 1 - apply(orders, 1, lambda)
    row <- c(row, p_value = share_of_orders(share, 1 - observed, listed))
  }
  row
}
