# Writes jafroc.json beside it: Rscript jafroc.R, in this folder. Functions of RJafroc from
# its sources, in the folder that GOLDEN_SOURCES names; its C++ figures of merit are
# compiled by Rcpp.
#
# Marks are simulated: 2 modalities x 4 readers x 40 cases, of which 22 have 1 to 3
# lesions; reader 1 is the standalone reader. Ratings of cases, for the Wilcoxon area, are
# the highest of each case.

source("json.R")
suppressMessages(library(Rcpp))
sources <- file.path(Sys.getenv("GOLDEN_SOURCES"), "RJafroc")
rjafroc <- new.env()
for (name in list.files(file.path(sources, "R"), full.names = TRUE)) {
  if (!basename(name) %in% c("RcppExports.R", "datasets.R")) sys.source(name, rjafroc)
}
sourceCpp(file.path(sources, "src", "MyFOM.cpp"), env = rjafroc)
version <- read.dcf(file.path(sources, "DESCRIPTION"), "Version")[[1]]

set.seed(20261130)
t <- 2
r <- 4
k1 <- 18
k2 <- 22
lesions <- sample(1:3, k2, TRUE)
nl <- array(-Inf, c(t, r, k1 + k2, 3))
ll <- array(-Inf, c(t, r, k2, 3))
marks <- NULL
for (i in seq_len(t)) {
  for (j in seq_len(r)) {
    for (k in seq_len(k1 + k2)) {
      found <- rpois(1, 0.7)
      for (l in seq_len(min(found, 3))) {
        nl[i, j, k, l] <- round(rnorm(1), 1)
        marks <- rbind(marks, c(i, j, k, 0, nl[i, j, k, l]))
      }
      for (l in seq_len(if (k > k1) lesions[k - k1] else 0)) {
        if (runif(1) < 0.7 + 0.1 * i) {
          ll[i, j, k - k1, l] <- round(rnorm(1, 1 + 0.1 * i + 0.1 * j), 1)
          marks <- rbind(marks, c(i, j, k, l, ll[i, j, k - k1, l]))
        }
      }
    }
  }
}
input <- list(
  marks = list(
    modality = marks[, 1], reader = marks[, 2], case = marks[, 3], lesion = marks[, 4],
    rating = marks[, 5]
  ),
  cases = list(case = seq_len(k1 + k2), lesions = c(rep(0, k1), lesions))
)

# RJafroc's data set of these modalities and readers; type: "FROC", or "ROC" of the
# highest rating of each case.
data_of <- function(modalities, readers, type = "FROC") {
  i <- length(modalities)
  j <- length(readers)
  nl <- nl[modalities, readers, , , drop = FALSE]
  ll <- ll[modalities, readers, , , drop = FALSE]
  number <- lesions
  if (type == "ROC") {
    highest <- apply(nl, 1:3, max)
    tp <- pmax(highest[, , -seq_len(k1), drop = FALSE], apply(ll, 1:3, max))
    highest[, , -seq_len(k1)] <- -Inf
    nl <- array(highest, c(dim(highest), 1))
    ll <- array(tp, c(dim(tp), 1))
    number <- rep(1, k2)
  }
  most <- max(number)
  ids <- t(vapply(number, function(n) c(seq_len(n), rep(-Inf, most - n)), numeric(most)))
  weights <- t(vapply(number, function(n) {
    c(rep(1 / n, n), rep(-Inf, most - n))
  }, numeric(most)))
  truth <- array(NA_real_, c(i, j, k1 + k2, most + 1))
  truth[, , seq_len(k1), 1] <- 1
  for (k in seq_len(k2)) truth[, , k1 + k, 1 + seq_len(number[k])] <- 1
  rjafroc$convert2dataset(
    nl, ll, NA, number, matrix(ids, k2), matrix(weights, k2), "simulated", type, NA,
    truth, "FCTRL", setNames(nm = as.character(modalities)),
    setNames(nm = as.character(readers))
  )
}

# The analyses of a figure, for new and for these readers and cases.
analysed <- function(figure, method) {
  of <- function(who) {
    rjafroc$St(data_of(1:2, 1:4), FOM = figure, method = method, analysisOption = who)
  }
  found <- of("RRRC")
  tests <- c("FTests", "ciDiffTrt")
  list(
    figures = as.vector(t(as.matrix(found$FOMs$foms))),
    RRRC = lapply(found$RRRC[tests], as.list),
    FRRC = lapply(of("FRRC")$FRRC[tests], as.list),
    RRFC = lapply(of("RRFC")$RRFC[tests], as.list),
    parts = if (method == "OR") found$ANOVA$VarCom$Estimates
  )
}
alone <- function(figure, method, type = "FROC", modality = 1) {
  found <- rjafroc$StCadVsRad(data_of(modality, 1:4, type), FOM = figure, method = method)
  lapply(found, function(x) unname(as.vector(x)))
}
calls <- alist(
  wAFROC_OR = analysed("wAFROC", "OR"),
  wAFROC_DBM = analysed("wAFROC", "DBM"),
  AFROC_OR = analysed("AFROC", "OR"),
  wAFROC_1T_RRRC = alone("wAFROC", "1T-RRRC"),
  wAFROC_1T_RRFC = alone("wAFROC", "1T-RRFC"),
  Wilcoxon_1T_RRRC = alone("Wilcoxon", "1T-RRRC", "ROC"),
  Wilcoxon_1T_RRFC = alone("Wilcoxon", "1T-RRFC", "ROC"),
  Wilcoxon_1T_RRRC_second = alone("Wilcoxon", "1T-RRRC", "ROC", 2)
)
writeLines(json(list(
  id = "jafroc",
  notes = paste(
    "Marks of lesion 0 are on none. In each case with lesions they have equal weights.",
    "StCadVsRad has the readers less reader 1, the standalone reader."
  ),
  generated_with = list(R = R.version.string, RJafroc = version),
  input = input,
  outputs = lapply(calls, function(call) {
    list(call = paste(deparse(call, 200), collapse = " "), value = eval(call))
  })
)), "jafroc.json")
