# Numbers of R's default generator: the source of all flips and permutations.

uniforms_reference <- function(seed, count) {
  set.seed(seed, "Mersenne-Twister")
  list(uniforms = runif(count))
}
