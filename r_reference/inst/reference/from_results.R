# What calls take from results that were computed before them.

# Numbers of pairs in a square: turned() makes that of B and A from that of A and B.
square_of <- function(x, algorithms, turned = identity) {
  pairs <- outer(algorithms, algorithms, paste, sep = " - ")
  found <- x[pairs]
  other <- turned(x[t(pairs)])
  found[is.na(found)] <- other[is.na(found)]
  matrix(unname(found), length(algorithms), dimnames = list(algorithms, algorithms))
}

# Estimates of pairs in a square, whose value of no difference is 0, 1 (ratios) or 0.5
# (shares).
estimates_of <- function(estimate, algorithms, null) {
  turned <- switch(as.character(null),
    "0" = function(x) -x,
    "1" = function(x) 1 / x,
    "0.5" = function(x) 1 - x
  )
  square_of(estimate, algorithms, turned)
}

# 1 if the algorithm of the row is better than that of the column.
better_of <- function(estimate, algorithms, null, lower) {
  estimates <- estimates_of(estimate, algorithms, null)
  better <- if (lower) estimates < null else estimates > null
  better[is.na(better)] <- FALSE
  better * 1
}

# Positions whose differences are the estimates: the lower, the better. Those that
# differ by rounding alone are the same.
positions_of <- function(estimate, algorithms, null, lower) {
  away <- estimates_of(estimate, algorithms, null)
  away <- if (null == 1) log(away) else away - null
  diag(away) <- 0
  means <- unname(rowMeans(away))
  size <- max(abs(means))
  steps <- round(means / if (size > 0) size else 1, 10)
  if (lower) steps else -steps
}

# Adjusted p-values behind a gate are at least the p-value of its test.
at_least <- function(p, gate) {
  p[] <- pmax(p, as.numeric(gate)[1])
  p
}
