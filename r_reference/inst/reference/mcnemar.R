# McNemar's test by binom.test and mcnemar.test; mid-p from dbinom. Needs sign.R.

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
  }
  if (startsWith(p_value, "chi2")) {
    table <- matrix(c(0, only_2, only_1, 0), 2)
    test <- mcnemar.test(table, correct = p_value == "chi2-corrected")
    share$statistic <- unname(test$statistic)
    share$p_value <- test$p.value
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
