# Interaction of algorithm and data set over folds within data sets. Needs linear.R.

# x: folds x algorithms, complete; dataset: the data set of each fold.
dataset_interaction_reference <- function(x, dataset) {
  cells <- long_scores(x, dataset)
  alike <- lm(score ~ block + algorithm, data = cells)
  changing <- lm(score ~ block + algorithm + dataset:algorithm, data = cells)
  table <- anova(alike, changing)
  list(
    statistic = table[["F"]][2],
    df = c(table[["Df"]][2], table[["Res.Df"]][2]),
    p_value = table[["Pr(>F)"]][2],
    sum_sq = table[["Sum of Sq"]][2],
    error_sum_sq = table[["RSS"]][2]
  )
}
