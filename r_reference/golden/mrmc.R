# mrmc_*.json: readers and cases by MRMCaov, and by RJafroc (DBM, OR). See remake.R.
#
# RJafroc calls compiled code for the empirical area; where it is read from its sources,
# `trapezoidal` takes its place, all else is RJafroc's. MRMCaov's jackknife shows a progress bar that stops
# with an error for some data, so JK leaves out cases by the same arithmetic without it.

# Covariances of all areas by leaving out one case; see the note above.
without_one <- function(mrmcaov) {
  structure(
    function(data, ...) {
      figure <- attr(data, "metric_call")
      group <- interaction(data$test, data$reader, lex.order = TRUE)
      areas <- sapply(split(data[c("truth", "rating", "case")], group), function(x) {
        vapply(levels(factor(x$case)), function(k) {
          suppressWarnings(eval(figure, x[x$case != k, c("truth", "rating")], mrmcaov))
        }, 0)
      })
      n <- nrow(areas)
      structure(
        (n - 1) / n * crossprod(scale(areas, scale = FALSE)),
        dimnames = list(levels(group), levels(group)),
        class = c("cov_jackknife", "cov_matrix")
      )
    },
    class = c("cov_method", "function")
  )
}

# RJafroc's data set of the ratings: arrays of modalities x readers x cases.
ratings_of <- function(dat) {
  array_of <- function(truth) {
    part <- dat[dat$truth == truth, ]
    found <- tapply(part$rating, lapply(part[c("treatment", "reader", "case")], factor), c)
    array(found, dim(found))
  }
  negative <- array_of(0)
  positive <- array_of(1)
  found <- Df2RJafrocDataset(negative, positive)
  # Version 2.1.2 leaves out which case is of which class.
  k <- c(dim(negative)[3], dim(positive)[3])
  classes <- array(NA_real_, c(dim(negative)[1:2], sum(k), 2))
  classes[, , seq_len(k[1]), 1] <- 1
  classes[, , k[1] + seq_len(k[2]), 2] <- 1
  found$descriptions$truthTableStr <- classes
  found
}

given <- function(input, outputs) {
  dat <- as.data.frame(lapply(input, unlist))
  for (name in c("treatment", "reader", "case")) {
    dat[[name]] <- factor(dat[[name]], unique(dat[[name]]))
  }
  mrmcaov <- package_of("MRMCaov")
  rjafroc <- package_of("RJafroc")
  if (!isNamespace(rjafroc)) {
    rjafroc$TrapezoidalArea <- trapezoidal
  }
  environment(ratings_of) <- rjafroc
  # MRMCaov evaluates its arguments from where it was sourced.
  assign("dat", dat, globalenv())
  assign("JK", without_one(mrmcaov), globalenv())
  used <- c("mrmc", "fixed", "empirical_auc", "trapezoidal_auc", "DeLong", "unbiased")
  c(
    as.list(mrmcaov)[used],
    list(rj = ratings_of(dat), St = rjafroc$StSignificanceTesting)
  )
}

# The area that RJafroc computes in C++: the share of right orders, ties one half.
trapezoidal <- function(noise, n_noise, signal, n_signal) {
  d <- outer(signal[seq_len(n_signal)], noise[seq_len(n_noise)], "-")
  mean((d > 0) + (d == 0) / 2)
}

# A summary of MRMCaov as a list; with the areas, their covariances and mean squares.
summed <- function(m) {
  x <- unclass(summary(m))
  x[setdiff(names(x), c("data_name", "cov_method", "design", "vars", "conf.level"))]
}
whole <- function(m) {
  covariances <- if (!is.null(m$cov)) structure(unclass(m$cov), class = NULL)
  c(summed(m), list(
    auc_per_test_reader = as.data.frame(m$data), cov = covariances,
    anova_T_R_TR = as.data.frame(m$aov$summary)
  ))
}

# DBM, or OR of covariances by leaving out cases; names and shapes as in version 2.1.3.
by_rjafroc <- function(rj, St, method, who) {
  found <- if (method == "DBM") {
    St(rj, FOM = "Wilcoxon", method = "DBM", analysisOption = who)
  } else {
    St(rj, FOM = "Wilcoxon", method = "OR", covEstMethod = "jackknife", analysisOption = who)
  }
  found$FOMs$foms <- as.matrix(found$FOMs$foms)
  one <- found$ANOVA$IndividualTrt
  names(found$ANOVA$IndividualTrt) <- sub("^Trt", "trt", names(one))
  found
}

calls <- alist(
  MRMCaov_jackknife_random_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, reader, case, data = dat, cov = JK)
  ),
  MRMCaov_jackknife_fixed_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, fixed(reader), case, data = dat, cov = JK)
  ),
  MRMCaov_jackknife_random_readers_fixed_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, reader, fixed(case), data = dat, cov = JK)
  ),
  MRMCaov_DeLong_random_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, reader, case, data = dat, cov = DeLong)
  ),
  MRMCaov_DeLong_fixed_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, fixed(reader), case, data = dat, cov = DeLong)
  ),
  MRMCaov_unbiased_random_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, reader, case, data = dat, cov = unbiased)
  ),
  MRMCaov_unbiased_fixed_readers_random_cases = whole(
    mrmc(empirical_auc(truth, rating), treatment, fixed(reader), case, data = dat, cov = unbiased)
  ),
  MRMCaov_trapezoidal_auc_jackknife_RRRC = summed(
    mrmc(trapezoidal_auc(truth, rating), treatment, reader, case, data = dat, cov = JK)
  ),
  RJafroc_DBM_RRRC = by_rjafroc(rj, St, "DBM", "RRRC"),
  RJafroc_OR_jackknife_RRRC = by_rjafroc(rj, St, "OR", "RRRC"),
  RJafroc_DBM_FRRC = by_rjafroc(rj, St, "DBM", "FRRC"),
  RJafroc_OR_jackknife_FRRC = by_rjafroc(rj, St, "OR", "FRRC"),
  RJafroc_DBM_RRFC = by_rjafroc(rj, St, "DBM", "RRFC"),
  RJafroc_OR_jackknife_RRFC = by_rjafroc(rj, St, "OR", "RRFC")
)
