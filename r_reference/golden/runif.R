# Writes runif.json beside it: Rscript runif.R, in this folder.
#
# Numbers of R's default generator after set.seed().

source("json.R")

seeds <- c(0, 1, 42, 123456789, 2147483647)
drawn <- lapply(seeds, function(seed) {
  set.seed(seed, "Mersenne-Twister")
  u <- runif(2000)
  list(seed = seed, first = u[1:5], late = u[c(623:626, 1248:1250, 2000)], sum = sum(u))
})
names(drawn) <- paste0("seed_", seeds)
writeLines(json(list(
  id = "runif",
  notes = "runif(2000): numbers 1-5; 623-626, 1248-1250, 2000; the sum of all",
  generated_with = list(R = R.version.string),
  input = list(count = 2000),
  outputs = list(runif = list(
    call = "set.seed(seed, 'Mersenne-Twister'); runif(2000)", value = drawn
  ))
)), "runif.json")
