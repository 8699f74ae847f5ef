# 12 data sets x 4 algorithms, and the same as a long table.
wide <- function() {
  set.seed(7)
  shift <- rep(c(0, 0.04, 0.01, 0.09), each = 12)
  x <- matrix(round(runif(48, 0.6, 0.9) - shift, 3), 12)
  colnames(x) <- c("svm", "knn", "tree", "bayes")
  data.frame(data = sprintf("d%02d", 1:12), x)
}

long <- function() {
  w <- wide()
  data.frame(
    data = rep(w$data, 4), algorithm = rep(names(w)[-1], each = 12),
    accuracy = unlist(w[-1], use.names = FALSE),
    seconds = round(exp(unlist(w[-1], use.names = FALSE)) + rep(1:12, 4) / 50, 3)
  )
}

algorithms <- c("svm", "knn", "tree", "bayes")
accuracy <- c(accuracy = "higher")
skip_without_python <- function() {
  # Where pycompare itself is tested, its absence is a failure.
  wanted <- nzchar(Sys.getenv("PYCOMPARE_REQUIRED"))
  if (!wanted) skip_if_not(pc_available(), "Python with pycompare")
}
