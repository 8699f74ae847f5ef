# Bayesian signed rank test; own derivation: all sums of two differences, weights of the
# same uniforms as in Python. Needs ranks.R, adjust.R, paired.R, bayesian_sign.R.

bayesian_signed_rank_reference <- function(x, better, rope, prior, draws, seed,
                                           level = 0.95, control = "",
                                           scale = "difference") {
  x <- on_scale(x, scale)
  rope <- if (scale == "ratio") log1p(rope) else rope
  pairs <- compared_pairs(colnames(x), control)
  turned <- lower_is_better(x, better)
  n <- nrow(x)
  set.seed(seed, "Mersenne-Twister")
  uniforms <- matrix(runif(draws * (n + 1)), n + 1)
  weights <- rbind(qgamma(uniforms[1, ], prior), -log(uniforms[-1, , drop = FALSE]))
  weights <- t(weights) / colSums(weights)
  each <- lapply(seq_len(nrow(pairs)), function(i) {
    first <- turned[, pairs[i, 1]]
    second <- turned[, pairs[i, 2]]
    z <- c(0, second - first)
    tie <- 2 * tie_width * max(abs(first), abs(second))
    sums <- outer(z, z, "+")
    # 1 above a border, 1/2 on it.
    side <- function(sums) (sums > 2 * rope - tie) / 2 + (sums > 2 * rope + tie) / 2
    share <- function(sides) rowSums((weights %*% sides) * weights)
    better <- share(side(sums))
    worse <- share(side(-sums))
    middle <- if (rope == 0) 0 * worse else 1 - better - worse
    most <- pmax(better, middle, worse)
    winners <- cbind(better == most, middle == most, worse == most)
    limits <- quantile(better, c((1 - level) / 2, (1 + level) / 2), names = FALSE)
    c(mean(better), limits, colMeans(winners / rowSums(winners)))
  })
  posterior_columns(do.call(rbind, each), pairs, colnames(x))
}
