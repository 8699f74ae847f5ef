# Power by formula: power.t.test of base R where it has the design, else the noncentral
# distributions of base R and sums over binomial counts. n may be a vector.

power_paired_t <- function(n, alpha, difference, sd) {
  power <- vapply(n, function(size) {
    power.t.test(size, difference, sd, alpha, type = "paired", strict = TRUE)$power
  }, 0)
  list(power = power)
}

power_corrected_t <- function(n, alpha, difference, sd, test_share) {
  shift <- difference / (sd * sqrt(1 / n + test_share))
  t <- qt(alpha / 2, n - 1, lower.tail = FALSE)
  list(power = pt(t, n - 1, shift, lower.tail = FALSE) + pt(-t, n - 1, shift))
}

power_non_inferiority <- function(n, alpha, difference, sd, margin) {
  shift <- (difference + margin) / sd * sqrt(n)
  t <- qt(alpha, n - 1, lower.tail = FALSE)
  list(power = pt(t, n - 1, shift, lower.tail = FALSE))
}

# Integrated over the estimated standard deviation, s times the true one.
power_equivalence <- function(n, alpha, difference, sd, margin) {
  power <- vapply(n, function(size) {
    df <- size - 1
    t <- qt(alpha, df, lower.tail = FALSE)
    edges <- (c(-margin, margin) - difference) * sqrt(size) / sd
    inside <- function(s) {
      within <- pnorm(edges[2] - t * s) - pnorm(edges[1] + t * s)
      within * 2 * df * s * dchisq(df * s^2, df)
    }
    last <- diff(edges) / (2 * t)
    around <- c(max(0, 1 - 12 / sqrt(2 * df)), min(last, 1 + 12 / sqrt(2 * df)))
    if (around[2] <= around[1]) {
      return(0)
    }
    integrate(inside, around[1], around[2], rel.tol = 1e-12, subdivisions = 1000)$value
  }, 0)
  list(power = power)
}

# Sum over the number of blocks without a tie, and over the numbers of wins.
power_sign <- function(n, alpha, win, tie) {
  power <- vapply(n, function(size) {
    sum(vapply(0:size, function(m) {
      wins <- 0:m
      lower <- pbinom(wins, m, 0.5)
      upper <- pbinom(wins - 1, m, 0.5, lower.tail = FALSE)
      p <- pmin(1, 2 * pmin(lower, upper))
      dbinom(m, size, 1 - tie) * sum(dbinom(wins, m, win)[p <= alpha])
    }, 0))
  }, 0)
  list(power = power)
}

power_mcnemar <- power_sign

power_anova <- function(n, alpha, means, sd) {
  a <- length(means)
  df <- (n - 1) * (a - 1)
  f <- qf(alpha, a - 1, df, lower.tail = FALSE)
  ncp <- n * sum((means - mean(means))^2) / sd^2
  list(power = pf(f, a - 1, df, ncp, lower.tail = FALSE))
}

power_mean_vectors <- function(n, alpha, difference, covariance) {
  p <- length(difference)
  f <- qf(alpha, p, n - p, lower.tail = FALSE)
  ncp <- n * drop(difference %*% solve(covariance, difference))
  list(power = pf(f, p, n - p, ncp, lower.tail = FALSE))
}

# Numbers of positive and negative cases.
power_classes <- function(n, prevalence) {
  positive <- pmin(pmax(round(n * prevalence), 1), n - 1)
  cbind(positive, n - positive)
}

# Covariance of two areas of normal ratings, correlated rho in both classes: the
# probabilities that two pairs of cases are both in order, by one integral each.
area_covariance <- function(one, two, rho, positive, negative) {
  h <- c(qnorm(one), qnorm(two))
  both <- function(r) {
    if (r == 1) {
      return(pnorm(min(h)))
    }
    inside <- function(z) dnorm(z) * pnorm((h[2] - r * z) / sqrt(1 - r^2))
    integrate(inside, -Inf, h[1], rel.tol = 1e-12, abs.tol = 0)$value
  }
  same <- both(rho)
  half <- both(rho / 2)
  none <- one * two
  (same - none + (positive + negative - 2) * (half - none)) / (positive * negative)
}

power_auc <- function(n, alpha, auc, null, prevalence, variance) {
  classes <- power_classes(n, prevalence)
  error <- function(area) {
    apply(classes, 1, function(m) {
      if (variance == "obuchowski") {
        return(sqrt(area_covariance(area, area, 1, m[1], m[2])))
      }
      q1 <- area / (2 - area)
      q2 <- 2 * area^2 / (1 + area)
      total <- area * (1 - area) + (m[1] - 1) * (q1 - area^2) + (m[2] - 1) * (q2 - area^2)
      sqrt(total / (m[1] * m[2]))
    })
  }
  under <- error(null)
  ratio <- error(auc) / under
  shift <- abs(auc - null) / under
  z <- qnorm(alpha / 2, lower.tail = FALSE)
  list(power = pnorm((shift - z) / ratio) + pnorm((-shift - z) / ratio))
}

power_delong <- function(n, alpha, auc_1, auc_2, correlation, prevalence) {
  variance <- apply(power_classes(n, prevalence), 1, function(m) {
    area_covariance(auc_1, auc_1, 1, m[1], m[2]) +
      area_covariance(auc_2, auc_2, 1, m[1], m[2]) -
      2 * area_covariance(auc_1, auc_2, correlation, m[1], m[2])
  })
  shift <- abs(auc_1 - auc_2) / sqrt(variance)
  z <- qnorm(alpha / 2, lower.tail = FALSE)
  list(power = pnorm(shift - z) + pnorm(-shift - z))
}

# Hillis, Obuchowski and Berbaum (2011), from the components of Obuchowski and Rockette:
# modality x reader, error, Cov1, Cov2, Cov3.
power_mrmc <- function(n, alpha, areas, components) {
  t <- length(areas)
  between <- components[4] - components[5]
  own <- components[1] + components[2] - components[3] - between
  error <- own + n * max(between, 0)
  df <- error^2 / (own^2 / ((t - 1) * (n - 1)))
  f <- qf(alpha, t - 1, df, lower.tail = FALSE)
  ncp <- n * sum((areas - mean(areas))^2) / error
  list(power = pf(f, t - 1, df, ncp, lower.tail = FALSE))
}
