# Studentised range: ptukey and qtukey.
#
# ptukey has absolute accuracy only: with infinite df 7 digits in the centre, 2 if p is
# 1e-10, none at 1e-20; with few df and many means less. Truth is in
# golden/studentized_range_mpmath.json.

# P(Q > q) for a means and df degrees of freedom.
studentized_range_reference <- function(q, a, df) {
  list(p_value = ptukey(q, a, df, lower.tail = FALSE))
}

# The q with P(Q > q) = p: as qtukey gives it, and made as good as ptukey is.
studentized_range_quantile_reference <- function(p, a, df) {
  list(
    quantile = mapply(studentized_range_quantile, p, a, df),
    qtukey = qtukey(p, a, df, lower.tail = FALSE)
  )
}

# qtukey stops its iteration early, and at some points with NaN; the root of ptukey is
# exact to ptukey's own digits.
studentized_range_quantile <- local({
  # The same level, algorithms and error return in many calls of one program.
  known <- list()
  function(p, a, df) {
    key <- sprintf("%.17g", c(p, a, df)) |> paste(collapse = " ")
    if (is.null(known[[key]])) {
      excess <- function(q) ptukey(q, a, df, lower.tail = FALSE) - p
      known[[key]] <<- uniroot(excess, c(0, 10), extendInt = "downX", tol = 1e-13)$root
    }
    known[[key]]
  }
})
