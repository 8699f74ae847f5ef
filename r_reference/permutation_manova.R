# Permutational MANOVA: vegan::adonis2 with the same permutations (trace), or
# det(E) / det(E + H) of each permutation (Wilks). All arrangements are listed here again.

# y: one row per cell; block, algorithm, dataset: numbers of each row. orders: one
# permutation of the rows per row, or NULL. list_all: list all arrangements instead.
permutation_manova_reference <- function(y, block, algorithm, blocked, dataset = NULL,
                                         statistic, standardise, orders = NULL,
                                         list_all = FALSE) {
  y <- as.matrix(y)
  dimnames(y) <- NULL
  cells <- data.frame(block = factor(block), algorithm = factor(algorithm))
  before <- if (blocked) "block" else NULL
  if (blocked && length(dataset) > 0) {
    cells$dataset <- factor(dataset)
    before <- c("dataset", "block")
  }
  if (list_all) orders <- all_orders(cells, blocked)
  known <- !is.null(orders)
  if (!known) orders <- matrix(seq_len(nrow(y)), 1)
  if (statistic == "trace") {
    found <- trace_of(y, cells, before, standardise, orders)
  } else {
    found <- wilks_of(y, cells, before, orders)
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
trace_of <- function(y, cells, before, standardise, orders) {
  if (standardise == "sd") {
    null <- reformulate(c("1", before), "y")
    fit <- lm(null, data = cells)
    spread <- sqrt(colSums(as.matrix(resid(fit))^2) / fit$df.residual)
    y <- sweep(y, 2, ifelse(spread > 1e-14 * apply(abs(y), 2, max), spread, Inf), "/")
  }
  terms <- reformulate(c(before, "algorithm"), "distance")
  distance <- dist(y)
  environment(terms) <- environment()
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
wilks_of <- function(y, cells, before, orders) {
  null <- qr(model.matrix(reformulate(c("1", before)), cells))
  full <- qr(model.matrix(reformulate(c("1", before, "algorithm")), cells))
  y <- sweep(y, 2, y[1, ])
  rest <- qr.resid(null, y)
  size <- sqrt(colSums(rest^2))
  # Metrics that follow from those before them are left out.
  kept <- size > 1e-14 * apply(abs(y), 2, max)
  independent <- qr(sweep(rest[, kept, drop = FALSE], 2, size[kept], "/"), tol = 1e-7)
  columns <- which(kept)[independent$pivot[seq_len(independent$rank)]]
  z <- sweep(rest[, columns, drop = FALSE], 2, size[columns], "/")
  total <- det(crossprod(z))
  lambda <- function(order) {
    det(crossprod(qr.resid(full, z[order, , drop = FALSE]))) / total
  }
  observed <- lambda(seq_len(nrow(z)))
  permuted <- apply(orders, 1, lambda)
  list(
    statistic = observed,
    df = c(full$rank - null$rank, nrow(z) - full$rank),
    p_value = (1 + sum(permuted <= observed + 1e-9)) / (1 + nrow(orders))
  )
}

# All orders of the rows that can give another statistic.
all_orders <- function(cells, blocked) {
  n <- nrow(cells)
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
