# Permutational MANOVA: vegan::adonis2 with the same permutations (trace), or
# det(E) / det(E + H) of each permutation (Wilks). All arrangements are listed here again.
# Needs responses.R.

# y: one row per cell, its block as the row's name; algorithm, dataset: of each row.
# Independent metrics for Wilks. orders: one permutation of the rows per row, or NULL.
# list_all: list all arrangements instead.
permutation_manova_reference <- function(y, algorithm, blocked, dataset = NULL, statistic,
                                         standardise, orders = NULL, list_all = FALSE) {
  # Scores less the first change no sum of squares, and none is lost in the subtraction.
  y <- sweep(y, 2, y[1, ])
  full <- fit_responses(y, algorithm, blocked, dataset)
  null <- lm(update(formula(full), . ~ . - algorithm), full$model)
  if (list_all) orders <- all_orders(full$model, blocked)
  known <- !is.null(orders)
  if (!known) orders <- matrix(seq_len(nrow(y)), 1)
  found <- if (statistic == "trace") {
    trace_of(full, null, standardise, orders)
  } else {
    wilks_of(full, null, orders)
  }
  n <- nrow(orders)
  if (list_all) {
    found$p_value <- (found$p_value * (n + 1) - 1) / n
  } else if (!known) {
    found$p_value <- NULL
  }
  found
}

# What adonis2 says of the last term before the residuals.
trace_of <- function(full, null, standardise, orders) {
  y <- as.matrix(full$model$y)
  if (standardise == "sd") {
    spread <- sqrt(colSums(as.matrix(resid(null))^2) / null$df.residual)
    # A metric that does not vary adds nothing.
    spread[spread <= 1e-14 * apply(abs(y), 2, max)] <- Inf
    y <- sweep(y, 2, spread, "/")
  }
  distance <- dist(y)
  terms <- update(formula(full), distance ~ .)
  environment(terms) <- environment()
  cells <- full$model[names(full$model) != "y"]
  table <- vegan::adonis2(terms, data = cells, permutations = orders, by = "terms")
  row <- nrow(table) - 2
  list(
    statistic = table$F[row],
    df = as.double(table$Df[c(row, row + 1)]),
    sum_sq = table$SumOfSqs,
    r2 = table$R2,
    p_value = table[["Pr(>F)"]][row]
  )
}

# Wilks' lambda of each permutation of the rows.
wilks_of <- function(full, null, orders) {
  rest <- as.matrix(resid(null))
  rest <- sweep(rest, 2, sqrt(colSums(rest^2)), "/")
  total <- det(crossprod(rest))
  lambda <- function(order) {
    det(crossprod(qr.resid(full$qr, rest[order, , drop = FALSE]))) / total
  }
  observed <- lambda(seq_len(nrow(rest)))
  permuted <- apply(orders, 1, lambda)
  list(
    statistic = observed,
    df = c(null$df.residual - full$df.residual, full$df.residual),
    p_value = (1 + sum(permuted <= observed + 1e-9)) / (1 + nrow(orders))
  )
}

# All orders of the rows that can give another statistic.
all_orders <- function(cells, blocked) {
  n <- length(cells$algorithm)
  if (!blocked) return(all_deals(cells$algorithm))
  rows <- split(seq_len(n), cells$block)
  complete <- all(lengths(rows) == nlevels(cells$algorithm))
  orders <- matrix(seq_len(n), 1)
  # In complete blocks one block can stay: relabelling all blocks alike is nothing new.
  for (block in if (complete) rows[-1] else rows) {
    ways <- permutations_of(block)
    repeated <- orders[rep(seq_len(nrow(orders)), nrow(ways)), , drop = FALSE]
    repeated[, block] <- ways[rep(seq_len(nrow(ways)), each = nrow(orders)), ]
    orders <- repeated
    if (nrow(orders) > 2e5) stop("more than 200,000 arrangements")
  }
  orders
}

permutations_of <- function(x) {
  if (length(x) == 1) return(matrix(x, 1))
  do.call(rbind, lapply(seq_along(x), function(i) cbind(x[i], permutations_of(x[-i]))))
}

# All ways to deal rows to algorithms, whatever the order within an algorithm.
all_deals <- function(algorithm) {
  sizes <- as.vector(table(algorithm))
  deal <- function(rows, sizes) {
    if (length(sizes) == 1) return(matrix(rows, 1))
    do.call(rbind, combn(length(rows), sizes[1], function(i) {
      rest <- deal(rows[-i], sizes[-1])
      cbind(matrix(rows[i], nrow(rest), sizes[1], byrow = TRUE), rest)
    }, simplify = FALSE))
  }
  dealt <- deal(seq_along(algorithm), sizes)
  orders <- dealt
  orders[, order(as.integer(algorithm))] <- dealt
  orders
}
