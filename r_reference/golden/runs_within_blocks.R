# Writes runs_*.json beside it: Rscript runs_within_blocks.R, in this folder.
#
# Balanced runs within blocks x algorithms, analysed by base R (aov with strata, lm) and
# by REML (lme4, second witness). machines: nlme::Machines, 6 workers (blocks), 3
# machines (algorithms), 3 runs; its mixed model is published in Pinheiro and Bates
# (2000), Mixed-Effects Models in S and S-PLUS, sec. 1.3.

source("json.R")

entry <- function(call, ...) list(call = call, value = list(...))

analysed <- function(cells) {
  strata <- summary(aov(score ~ algorithm + Error(block / algorithm), data = cells))
  blocks <- strata[["Error: block"]][[1]]
  both <- strata[["Error: block:algorithm"]][[1]]
  runs <- strata[["Error: Within"]][[1]]
  full <- anova(lm(score ~ algorithm * block, data = cells))["algorithm:block", ]
  means <- aggregate(score ~ block + algorithm, data = cells, FUN = mean)
  of_means <- anova(lm(score ~ block + algorithm, data = means))["algorithm", ]
  mixed <- lme4::lmer(
    score ~ algorithm + (1 | block / algorithm), data = cells,
    control = lme4::lmerControl(optCtrl = list(ftol_abs = 1e-14, xtol_abs = 1e-14))
  )
  parts <- as.data.frame(lme4::VarCorr(mixed))
  component <- function(group) parts$vcov[parts$grp == group]
  list(
    strata = entry(
      "summary(aov(score ~ algorithm + Error(block / algorithm)))",
      df = c(blocks[["Df"]], both[["Df"]], runs[["Df"]]),
      sum_sq = c(blocks[["Sum Sq"]], both[["Sum Sq"]], runs[["Sum Sq"]]),
      mean_sq = c(blocks[["Mean Sq"]], both[["Mean Sq"]], runs[["Mean Sq"]]),
      statistic = both[["F value"]][1], p_value = both[["Pr(>F)"]][1]
    ),
    interaction = entry(
      "anova(lm(score ~ algorithm * block))['algorithm:block', ]",
      statistic = full[["F value"]], p_value = full[["Pr(>F)"]]
    ),
    cell_means = entry(
      "anova(lm(score ~ block + algorithm, cell means))['algorithm', ]",
      statistic = of_means[["F value"]], p_value = of_means[["Pr(>F)"]]
    ),
    reml = entry(
      "lme4::lmer(score ~ algorithm + (1 | block / algorithm))",
      components = c(component("block"), component("algorithm:block"),
                     component("Residual"))
    )
  )
}

simulated <- function(seed, b, a, n, spread) {
  set.seed(seed)
  cells <- expand.grid(run = seq_len(n), algorithm = seq_len(a), block = seq_len(b))
  own <- rnorm(a * b, sd = spread)
  level <- rnorm(b)
  cells$score <- round(
    level[cells$block] + cells$algorithm / 4 +
      own[(cells$block - 1) * a + cells$algorithm] + rnorm(nrow(cells), sd = 0.5), 4
  )
  cells
}

write_golden <- function(name, note, cells) {
  cells$block <- as.character(cells$block)
  cells$algorithm <- as.character(cells$algorithm)
  found <- list(
    id = name,
    notes = note,
    generated_with = list(
      R = R.version.string,
      lme4 = as.character(packageVersion("lme4")),
      nlme = as.character(packageVersion("nlme"))
    ),
    input = list(
      block = cells$block, algorithm = cells$algorithm, run = cells$run,
      score = cells$score
    ),
    outputs = analysed(transform(
      cells, block = factor(block, unique(block)),
      algorithm = factor(algorithm, unique(algorithm))
    ))
  )
  writeLines(json(found), paste0(name, ".json"))
}

machines <- as.data.frame(nlme::Machines)
machines <- machines[order(as.integer(as.character(machines$Worker))), ]
write_golden("runs_machines", "nlme::Machines; Pinheiro and Bates (2000)", data.frame(
  block = machines$Worker, algorithm = machines$Machine,
  run = ave(machines$score, machines$Worker, machines$Machine, FUN = seq_along),
  score = machines$score
))
write_golden("runs_sim_10x4x3", "simulated", simulated(1, 10, 4, 3, 0.6))
write_golden("runs_sim_5x2x6", "simulated", simulated(2, 5, 2, 6, 0.6))
write_golden(
  "runs_no_interaction_8x3x4",
  "simulated without interaction: its estimate is negative, and REML puts it at 0",
  simulated(6, 8, 3, 4, 0)
)
