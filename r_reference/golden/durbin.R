# Writes durbin_*.json beside it: Rscript durbin.R, in this folder. The function of the
# package PMCMRplus from its sources, in the folder that GOLDEN_SOURCES names.

source("json.R")
sources <- file.path(Sys.getenv("GOLDEN_SOURCES"), "PMCMRplus")
source(file.path(sources, "R", "durbinAllPairsTest.R"))
version <- read.dcf(file.path(sources, "DESCRIPTION"), "Version")[[1]]

write_golden <- function(name, note, y) {
  colnames(y) <- LETTERS[seq_len(ncol(y))]
  pairs <- which(lower.tri(diag(ncol(y))), arr.ind = TRUE)
  # Of the triangle of PMCMRplus: rows are from the second algorithm on.
  numbers_of <- function(method) {
    test <- durbinAllPairsTest.default(y, p.adjust.method = method)
    at <- cbind(pairs[, 1] - 1, pairs[, 2])
    list(statistic = test$statistic[at], p_value = test$p.value[at],
      df = unname(test$parameter))
  }
  outputs <- lapply(c(none = "none", holm = "holm", BH = "BH"), function(method) {
    list(
      call = paste0("durbinAllPairsTest(y, p.adjust.method = \"", method, "\")"),
      value = numbers_of(method)
    )
  })
  found <- list(
    id = name, notes = note,
    generated_with = list(R = R.version.string, PMCMRplus = version),
    input = list(blocks = nrow(y), y = c(y)), outputs = outputs
  )
  writeLines(json(found), paste0(name, ".json"))
}

# Conover (1999), p. 391: ranks of seven varieties by seven judges.
conover <- matrix(c(
  2, NA, NA, NA, 3, NA, 3, 3, 3, NA, NA, NA, 3, NA, NA, 1, 2, NA, NA, NA, 1, 1, NA, 1, 1,
  NA, NA, NA, NA, 2, NA, 2, 1, NA, NA, NA, NA, 3, NA, 2, 1, NA, NA, NA, NA, 3, NA, 2, 2
), 7)
write_golden("durbin_conover", "Conover (1999), p. 391: lower is better; its sums of ranks are 8 9 4 3 5 6 7", conover)

set.seed(7)
design <- t(combn(5, 3))
ties <- matrix(NA, 20, 5)
for (i in 1:20) {
  own <- design[(i - 1) %% 10 + 1, ]
  ties[i, own] <- sample(0:3, 3, replace = TRUE) + (own > 3)
}
write_golden("durbin_ties_20x5", "simulated: all triples of five twice, with ties; lower is better", ties)
