library(testthat)
library(pycompare)

test_check("pycompare")
