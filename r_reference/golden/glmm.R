# Writes glmm_*.json beside it: Rscript glmm.R, in this folder. The numbers are those of
# lme4::glmer, as ../inst/reference/glmm.R calls it, on simulated outcomes of readers and cases.

source("json.R")
source(file.path("..", "inst", "reference", "adjust.R"))
source(file.path("..", "inst", "reference", "glmm.R"))

write_golden <- function(name, t, r, n, sd, link, random) {
  cell <- expand.grid(case = seq_len(n), reader = seq_len(r), modality = seq_len(t))
  eta <- 0.3 * cell$modality + sd[1] * rnorm(n)[cell$case] +
    sd[2] * rnorm(r)[cell$reader] +
    sd[3] * rnorm(r * t)[cell$reader + r * (cell$modality - 1)]
  y <- as.numeric(runif(length(eta)) < plogis(eta))
  found <- list(
    id = name,
    notes = "simulated; y by modality, reader, case (case fastest)",
    generated_with = list(
      R = R.version.string, lme4 = as.character(packageVersion("lme4"))
    ),
    input = list(
      modalities = t, readers = r, cases = n, y = y, link = link, random = as.list(random)
    ),
    outputs = list(glmer = list(
      call = "glmm_reference(y, modality, reader, case, random, link, 'holm')",
      value = glmm_reference(
        y, cell$modality, cell$reader, cell$case, random, link, "holm"
      )
    ))
  )
  writeLines(json(found), paste0(name, ".json"))
}

set.seed(13)
crossed <- c("case", "reader")
write_golden("glmm_2x5x40_logit", 2, 5, 40, c(1, 0.6, 0), "logit", crossed)
write_golden("glmm_3x6x30_probit", 3, 6, 30, c(1.5, 0.5, 0), "probit", crossed)
write_golden(
  "glmm_2x8x40_interaction", 2, 8, 40, c(1, 0.5, 1.5), "logit",
  c(crossed, "modality x reader")
)
