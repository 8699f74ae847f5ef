# McNemar's test by binom.test, mcnemar.test and prop.test; mid-p from dbinom. Needs
# sign.R.

# only_1, only_2: the discordant counts; p_value: "exact", "mid-p", "chi2" or
# "chi2-corrected".
mcnemar_reference <- function(only_1, only_2, p_value = "exact",
                              alternative = "two.sided", level = 0.95) {
  share <- binomial_share(only_1, only_2, alternative, level)
  if (only_1 + only_2 == 0) {
    return(share)
  }
  if (p_value == "mid-p") {
    share$p_value <- mid_p(only_1, only_1 + only_2, alternative)
    limits <- mid_p_limits(only_1, only_1 + only_2, alternative, level)
  }
  if (startsWith(p_value, "chi2")) {
    table <- matrix(c(0, only_2, only_1, 0), 2)
    test <- mcnemar.test(table, correct = p_value == "chi2-corrected")
    share$statistic <- unname(test$statistic)
    share$p_value <- test$p.value
    limits <- suppressWarnings(prop.test(
      only_1, only_1 + only_2,
      conf.level = level, correct = p_value == "chi2-corrected"
    ))$conf.int
  }
  if (p_value != "exact") {
    share$conf_low <- limits[1]
    share$conf_high <- limits[2]
  }
  share
}

# Half of the observed count's probability left out of each tail.
mid_p <- function(count, n, alternative) {
  p <- dbinom(0:n, n, 0.5)
  weight <- function(side) sum(p[side]) + p[count + 1] / 2
  tails <- c(less = weight(0:n < count), greater = weight(0:n > count))
  if (alternative == "two.sided") min(1, 2 * min(tails)) else tails[[alternative]]
}

# Shares at which a tail with half of the observed count's probability is what is left.
mid_p_limits <- function(count, n, alternative, level) {
  tail <- if (alternative == "two.sided") (1 - level) / 2 else 1 - level
  above <- function(count, share) {
    pbinom(count, n, share, lower.tail = FALSE) + dbinom(count, n, share) / 2
  }
  lower <- function(count) {
    if (count == 0) {
      return(0)
    }
    ends <- c(0, 1)
    for (i in 1:200) {
      middle <- mean(ends)
      ends[if (above(count, middle) > tail) 2 else 1] <- middle
    }
    mean(ends)
  }
  c(
    if (alternative == "less") 0 else lower(count),
    if (alternative == "greater") 1 else 1 - lower(n - count)
  )
}
