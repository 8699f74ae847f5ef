# Published experiments as CSV, from data sets that come with R (datasets, nlme, carData,
# lme4). Run in this folder: Rscript experiments.R
write <- function(data, name) {
  write.csv(data, paste0("experiment_", name, ".csv"), row.names = FALSE)
}
# Venables, Ripley (2002), Modern Applied Statistics with S, p. 165.
write(datasets::npk, "npk")
# Tippett (1950), Technological Applications of Statistics, p. 106.
write(datasets::warpbreaks, "warpbreaks")
# Yates (1935), J. R. Statist. Soc. Suppl. 2, 181-247.
write(nlme::Oats, "oats")
# Milliken, Johnson (1992), Analysis of Messy Data I, p. 285.
write(nlme::Machines, "machines")
# O'Brien, Kaiser (1985), Psychol. Bull. 97, 316-333, in long form.
wide <- carData::OBrienKaiser
wide$subject <- seq_len(nrow(wide))
long <- reshape(wide, varying = 3:17, v.names = "value", idvar = "subject",
                timevar = "cell", direction = "long")
long$phase <- rep(c("pre", "post", "fup"), each = 5)[long$cell]
long$hour <- (long$cell - 1) %% 5 + 1
write(long[, c("subject", "treatment", "gender", "phase", "hour", "value")],
      "obrienkaiser")
# Belenky et al. (2003), J. Sleep Res. 12, 1-12.
write(lme4::sleepstudy, "sleepstudy")
