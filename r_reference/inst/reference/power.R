# Power by formula: power.t.test of base R if it has the design, else the noncentral
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

# Tango's score test against -margin: sum over numbers of discordant items and of wins.
power_gate <- function(n, alpha, margin, discordance, difference) {
  z <- qnorm(alpha, lower.tail = FALSE)
  of_wins <- (discordance + difference) / (2 * discordance)
  power <- vapply(n, function(size) {
    sum(vapply(0:size, function(m) {
      wins <- 0:m
      lost <- m - wins
      # The most likely share of losses, given the difference -margin.
      b <- (2 * size - wins + lost) * -margin - wins - lost
      root <- sqrt(pmax(b^2 + 8 * size * lost * -margin * (1 + margin), 0))
      q <- (root - b) / (4 * size)
      spread <- sqrt(size * (2 * q - margin * (1 + margin)))
      statistic <- (wins - lost + size * margin) / spread
      dbinom(m, size, discordance) * sum(dbinom(wins, m, of_wins)[statistic >= z - 1e-11])
    }, 0))
  }, 0)
  list(power = power)
}

# Labels of people on n of all items, beside a judge; half a pseudo-label of 0/1 labels.
power_labels <- function(n, alpha, difference, sd, correlation, items, binary,
                         population) {
  rest <- sd^2 * (1 - correlation^2)
  own <- if (binary) ((n - 2) * rest + 1) / (n^2 - 1) else rest / n
  of_items <- if (binary) ((n - 1) * sd^2 + 1) / n / items else sd^2 / items
  slope <- (n - 2) / (n - 3)
  v <- own * (items - n) / items * slope + (population == "like") * of_items
  shift <- difference / sqrt(v)
  t <- qt(alpha / 2, n - 2, lower.tail = FALSE)
  list(power = pt(t, n - 2, shift, lower.tail = FALSE) + pt(-t, n - 2, shift))
}

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

# P(-log Lambda >= x): minus log Lambda is a sum of terms -log(1 - W), one for each
# response given those before it, W noncentral beta; by one integral for each but the
# last. The mean noncentrality stands for that which depends on the responses before.
wilks_above <- function(x, q, error, ncp) {
  inside <- function(at, i) {
    rest <- -expm1(-at)
    if (i == length(ncp)) {
      return(pbeta(rest, q / 2, (error - i + 1) / 2, ncp[i]))
    }
    # w = u^2: no singularity of the density at 0.
    integrate(function(u) {
      w <- u^2
      left <- vapply(at + log1p(-w), function(y) inside(max(y, 0), i + 1), 0)
      2 * u * dbeta(w, q / 2, (error - i + 1) / 2, ncp[i]) * left
    }, 0, sqrt(rest), rel.tol = 1e-10, abs.tol = 1e-11)$value
  }
  1 - inside(x, 1)
}

power_manova <- function(n, alpha, means, covariance) {
  p <- ncol(means)
  q <- nrow(means) - 1
  centred <- sweep(means, 2, colMeans(means))
  power <- vapply(n, function(size) {
    error <- q * (size - 1)
    root <- if (p^2 + q^2 > 5) sqrt((p^2 * q^2 - 4) / (p^2 + q^2 - 5)) else 1
    df <- (error - (p - q + 1) / 2) * root - (p * q - 2) / 2
    x <- root * log1p(p * q * qf(alpha, p * q, df, lower.tail = FALSE) / df)
    between <- size * solve(covariance, crossprod(centred))
    ncp <- pmax(Re(eigen(between)$values), 0)
    ncp[seq_along(ncp) > q] <- 0
    share <- 1
    for (i in seq_len(p)) {
      ncp[i] <- ncp[i] * share
      j <- 0:(ceiling(ncp[i] / 2 + 10 * sqrt(ncp[i])) + 50)
      share <- share * (1 - sum(dpois(j, ncp[i] / 2) / (error + q - i + 1 + 2 * j)))
    }
    wilks_above(x, q, error, ncp)
  }, 0)
  list(power = power)
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

# P(X > x) of a gamma distribution, shifted, with these three moments.
skewed_above <- function(x, mean, sd, skewness) {
  if (abs(skewness) < 1e-6) {
    return(pnorm(x, mean, sd, lower.tail = FALSE))
  }
  shape <- 4 / skewness^2
  at <- shape + sign(skewness) * sqrt(shape) * (x - mean) / sd
  pgamma(at, shape, lower.tail = skewness < 0)
}

# Standard error and skewness of an area of normal ratings: the third cumulant from the
# means of the score given one case, g, and from q(x) = E[g(Y) h(x, Y)].
normal_moments <- function(area, positive, negative) {
  h <- qnorm(area)
  variance <- area_covariance(area, area, 1, positive, negative)
  over <- function(f) {
    integrate(function(x) f(x) * dnorm(x - sqrt(2) * h), -Inf, Inf, rel.tol = 1e-11)$value
  }
  g <- function(x) pnorm(x) - area
  q <- function(x) vapply(x, function(at) {
    integrate(function(y) (pnorm(sqrt(2) * h - y) - area) * dnorm(y), -Inf, at,
      rel.tol = 1e-11, abs.tol = 1e-14)$value
  }, 0)
  third <- over(function(x) g(x)^3) * (1 / positive^2 + 1 / negative^2) +
    6 * over(function(x) g(x) * q(x)) / (positive * negative)
  c(sqrt(variance), third / variance^1.5)
}

# The same for exponential ratings (Hanley and McNeil 1982). With rate r of the means,
# exp(-X) is distributed as t^(1/r) and exp(-Y) uniformly, on (0, 1).
exponential_moments <- function(area, positive, negative) {
  r <- area / (1 - area)
  q1 <- area / (2 - area)
  q2 <- 2 * area^2 / (1 + area)
  variance <- (area * (1 - area) + (positive - 1) * (q1 - area^2) +
    (negative - 1) * (q2 - area^2)) / (positive * negative)
  over <- function(f) integrate(f, 0, 1, rel.tol = 1e-11)$value
  # As functions of the uniform exp(-Y), and of the one whose r-th power is exp(-X).
  of_negative <- function(y) y^(1 / r) - area
  of_positive <- function(u) 1 - u^r - area
  both <- function(u) {
    vapply(u, function(at) {
      integrate(of_negative, at^r, 1, rel.tol = 1e-11)$value
    }, 0) * of_positive(u)
  }
  third <- over(function(u) of_positive(u)^3) / positive^2 +
    over(function(y) of_negative(y)^3) / negative^2 +
    6 * over(both) / (positive * negative)
  c(sqrt(variance), third / variance^1.5)
}

power_auc <- function(n, alpha, auc, null, prevalence, variance) {
  moments <- if (variance == "obuchowski") normal_moments else exponential_moments
  z <- qnorm(alpha / 2, lower.tail = FALSE)
  power <- apply(power_classes(n, prevalence), 1, function(m) {
    pairs <- m[1] * m[2]
    far <- z * moments(null, m[1], m[2])[1]
    found <- moments(auc, m[1], m[2])
    above <- ceiling((null + far) * pairs)
    below <- ceiling((1 - null + far) * pairs)
    (above <= pairs) * skewed_above((above - 0.5) / pairs, auc, found[1], found[2]) +
      (below <= pairs) * skewed_above((below - 0.5) / pairs, 1 - auc, found[1], -found[2])
  })
  list(power = power)
}

# Nodes and weights from the recurrence of orthogonal polynomials (Golub and Welsch).
gauss <- function(off) {
  n <- length(off) + 1
  jacobi <- matrix(0, n, n)
  jacobi[cbind(seq_along(off), seq_along(off) + 1)] <- off
  found <- eigen(jacobi + t(jacobi), symmetric = TRUE)
  list(node = found$values, weight = found$vectors[1, ]^2)
}

# P(X <= h, Y <= k), by the integral over the correlation (Plackett 1954).
both_below <- function(h, k, rho) {
  i <- 1:39
  rule <- gauss(i / sqrt(4 * i^2 - 1))
  total <- pnorm(h) * pnorm(k)
  for (j in seq_along(rule$node)) {
    angle <- asin(rho) * (rule$node[j] + 1) / 2
    density <- exp(-(h^2 + k^2 - 2 * h * k * sin(angle)) / (2 * cos(angle)^2))
    total <- total + rule$weight[j] * asin(rho) * density / (2 * pi)
  }
  total
}

# What DeLong's test compares with 0, sign * D - z S: mean, variance and third cumulant.
# With a margin: D + margin - z S, one-sided.
power_delong <- function(n, alpha, auc_1, auc_2, correlation, prevalence, margin = NULL) {
  mu <- sqrt(2) * qnorm(c(auc_1, auc_2))
  sign <- c(1, -1)
  rho <- correlation
  mean <- auc_1 - auc_2
  normal <- gauss(sqrt(1:23))
  cells <- 400
  score <- function(x) sign[1] * pnorm(x[, 1]) + sign[2] * pnorm(x[, 2])
  one <- NULL
  own <- function(x) score(x) - mean
  cross <- function(x) {
    total <- -mean * score(x) - one
    for (k in 1:2) for (l in 1:2) {
      r <- (if (k == l) 1 else rho) / sqrt(2)
      total <- total + sign[k] * sign[l] * both_below(x[, l], mu[k] / sqrt(2), r)
    }
    total
  }
  ratings <- function(first, second, k) {
    other <- rho * first + sqrt(1 - rho^2) * second
    cbind(mu[1] + if (k == 1) first else other, mu[2] + if (k == 1) other else first)
  }
  products <- function(m, n) { # variance of D
    area_covariance(auc_1, auc_1, 1, m, n) + area_covariance(auc_2, auc_2, 1, m, n) -
      2 * area_covariance(auc_1, auc_2, rho, m, n)
  }
  nodes <- expand.grid(normal$node, normal$node)
  w <- as.vector(outer(normal$weight, normal$weight))
  x <- ratings(nodes[, 1], nodes[, 2], 1)
  g <- own(x)
  # The variance with 1 case of each class is 2 one + pair; with 2 and 2, one + pair / 4.
  one <- 2 * products(2, 2) - products(1, 1) / 2
  pair <- products(1, 1) - 2 * one
  q <- cross(x)
  square_q <- rep(-sum(w * g^3), length(w))
  q_q <- rep(-sum(w * g * q), length(w))
  middle <- qnorm((seq_len(cells) - 0.5) / cells)
  for (k in 1:2) {
    y <- ratings(rep(middle, each = 24), rep(normal$node, cells), k)
    given <- function(values) {
      each <- colSums(matrix(values, 24) * normal$weight) / cells
      from_above <- c(rev(cumsum(rev(each))), 0)
      sign[k] * approx((0:cells) / cells, from_above, pnorm(-x[, k]))$y
    }
    square_q <- square_q + given(own(y)^2 - one)
    q_q <- q_q + given(cross(y))
  }
  z <- qnorm(if (is.null(margin)) alpha / 2 else alpha, lower.tail = FALSE)
  bound <- if (is.null(margin)) 0 else -margin
  rejected <- function(m, n, side) {
    true <- products(m, n)
    s <- sqrt(true + pair / (m * n))
    t <- z / (2 * s)
    parts <- function(m, n) {
      v <- (g^2 - one) / m + 2 * q / n
      list(v = v, l = side * g - t * v, x = side * q - t * (square_q / m + 2 * q_q / n))
    }
    a <- parts(m, n)
    b <- parts(n, m)
    e <- function(f) sum(w * f)
    of_v <- e(a$v^2) / m + e(b$v^2) / n
    variance <- true + t^2 * of_v - 2 * t * side * (e(g * a$v) / m + e(g * b$v) / n)
    quadratic <- -e(a$l * g)^2 / m^3 - e(b$l * g)^2 / n^3 +
      2 * (e(a$l * g * b$x) / m + e(b$l * g * a$x) / n) / (m * n) +
      e(b$x^2) / (n^2 * m) + e(a$x^2) / (m^2 * n)
    third <- e(a$l^3) / m^2 + e(b$l^3) / n^2 + 6 * side * e(a$l * b$x) / (m * n) -
      6 * t * quadratic + 3 * t / (2 * s^2) * (e(a$l * a$v) / m + e(b$l * b$v) / n)^2
    centre <- side * mean - z * s * (1 - of_v / (8 * s^4))
    skewed_above(bound, centre, sqrt(variance), third / variance^1.5)
  }
  power <- apply(power_classes(n, prevalence), 1, function(m) {
    rejected(m[1], m[2], 1) +
      if (is.null(margin)) rejected(m[1], m[2], -1) else 0
  })
  list(power = power)
}

# Nodes and weights of a gamma distribution, in powers that make its density smooth at 0.
gamma_nodes <- function(shape, mean, n) {
  i <- seq_len(n - 1)
  rule <- gauss(i / sqrt(4 * i^2 - 1))
  power <- max(2, 2 / shape)
  edges <- c(qgamma(1e-12, shape), qgamma(1e-12, shape, lower.tail = FALSE))^(1 / power)
  v <- edges[1] + diff(edges) * (rule$node + 1) / 2
  weight <- rule$weight * dgamma(v^power, shape) * v^(power - 1)
  list(node = v^power * mean / shape, weight = weight / sum(weight))
}

# From the components of Obuchowski and Rockette (modality x reader, error, Cov1, Cov2,
# Cov3), and the joint moments of the difference, MS(TR) and r (Cov2 - Cov3) estimated.
power_of_readers <- function(r, alpha, areas, moments) {
  names(moments) <- c(
    "tr", "error", "cov1", "cov2", "cov3",
    "third", "d_m", "d_d_m", "var_m", "d_x", "d_d_x", "var_x", "m_x", "bias"
  )
  of <- as.list(moments)
  t <- length(areas)
  shared <- r * max(of$cov2 - of$cov3, 0)
  own <- max(of$tr + of$error - of$cov1 - of$cov2 + of$cov3, 1e-9 * shared)
  variance <- (own + shared) / r
  effect <- sqrt(sum((areas - mean(areas))^2))
  by_m <- of$d_m / of$var_m
  left <- of$var_x - of$m_x^2 / of$var_m
  by_x <- if (left > 0) (of$d_x - by_m * of$m_x) / left else 0
  unexplained <- variance - by_m * of$d_m - by_x^2 * max(left, 0)
  slope <- of$d_d_m / of$var_m - 2 * by_m^2 * of$var_m / own
  slope_x <- if (left > 0) (of$d_d_x - of$m_x / of$var_m * of$d_d_m) / left else 0
  skewness <- of$third / variance^1.5
  beyond <- function(far, mean, sd) {
    mapply(function(f, s) {
      skewed_above(f, mean, s, skewness) + skewed_above(f, -mean, s, -skewness)
    }, far, sd)
  }
  of_m <- gamma_nodes(own^2 / of$var_m, own, 80)
  of_x <- gauss(sqrt(1:24))
  across <- if (t > 2) {
    gamma_nodes(t / 2 - 1, (t - 2) * (own + shared), 25)
  } else {
    list(node = 0, weight = 1)
  }
  total <- 0
  for (i in seq_along(of_m$node)) {
    m <- of_m$node[i]
    for (j in seq_along(of_x$node)) {
      rest <- sqrt(max(left, 0)) * of_x$node[j]
      x <- shared + of$bias + of$m_x / of$var_m * (m - own) + rest
      given <- unexplained + slope * (m - own) + slope_x * rest
      sd <- sqrt(max(given, variance / 10))
      error <- m + max(x, 0)
      df <- (t - 1) * (r - 1) * (error / m)^2
      reached <- (t - 1) * error * qf(alpha, t - 1, df, lower.tail = FALSE)
      far <- sqrt(pmax(reached - across$node, 0) / r)
      mean <- effect + by_m * (m - own) + by_x * rest
      total <- total + of_m$weight[i] * of_x$weight[j] *
        sum(across$weight * beyond(far, mean, sd))
    }
  }
  total
}

# The moments, a column each, differ with the number of readers or cases, a row each.
power_mrmc <- function(n, alpha, areas, moments) {
  list(power = vapply(seq_along(n), function(i) {
    power_of_readers(n[i], alpha, areas, matrix(moments, length(n))[i, ])
  }, 0))
}

power_mrmc_cases <- function(n, alpha, areas, n_readers, moments) {
  list(power = vapply(seq_along(n), function(i) {
    power_of_readers(n_readers, alpha, areas, matrix(moments, length(n))[i, ])
  }, 0))
}

# Hillis, Obuchowski and Berbaum (2011): components of modality x reader, Cov1, Cov2, Cov3
# and the error; all but the first are inversely proportional to the number of cases.
power_of_components <- function(r, cases, alpha, areas, components, component_cases) {
  t <- length(areas)
  of <- as.list(stats::setNames(components, c("tr", "cov1", "cov2", "cov3", "error")))
  ratio <- component_cases / cases
  between <- ratio * max(of$cov2 - of$cov3, 0)
  own <- max(of$tr, 0) + max(ratio * (of$error - of$cov1) - between, 0)
  own <- max(own, 1e-9 * r * between)
  error <- own + r * between
  df <- min((t - 1) * (r - 1) * (error / own)^2, 1e12)
  ncp <- r * sum((areas - mean(areas))^2) / error
  pf(qf(alpha, t - 1, df, lower.tail = FALSE), t - 1, df, ncp, lower.tail = FALSE)
}

power_mrmc_components <- function(n, alpha, areas, n_cases, components, component_cases) {
  list(power = vapply(n, function(readers) {
    power_of_components(readers, n_cases, alpha, areas, components, component_cases)
  }, 0))
}

power_mrmc_cases_components <- function(
  n, alpha, areas, n_readers, components, component_cases
) {
  list(power = vapply(n, function(cases) {
    power_of_components(n_readers, cases, alpha, areas, components, component_cases)
  }, 0))
}

# Shares of a class on the right side of a threshold: components of one case from normal
# ratings, both calls by integration over the common effects. variances: reader,
# modality x reader, case, modality x case, reader x case, error; n_cases of the class.
power_mrmc_shares <- function(n, alpha, areas, variances, n_cases, n_readers) {
  v <- as.list(stats::setNames(variances, c("r", "tr", "c", "tc", "rc", "e")))
  total <- sum(variances)
  both <- function(i, k, common) {
    rho <- common / total
    if (rho > 1 - 1e-12) return(min(areas[c(i, k)]))
    if (rho == 0) return(areas[i] * areas[k])
    integrate(function(x) {
      dnorm(x) * pnorm((qnorm(areas[i]) - sqrt(rho) * x) / sqrt(1 - rho)) *
        pnorm((qnorm(areas[k]) - sqrt(rho) * x) / sqrt(1 - rho))
    }, -12, 12, rel.tol = 1e-12, subdivisions = 1000)$value
  }
  t <- length(areas)
  cells <- expand.grid(i = seq_len(t), k = seq_len(t))
  average <- function(same, common, less) {
    at <- cells[(cells$i == cells$k) == same, ]
    mean(mapply(function(i, k) both(i, k, common) - both(i, k, less), at$i, at$k))
  }
  reader <- average(FALSE, v$r, 0)
  of_reader <- v$r + v$tr
  components <- c(
    average(TRUE, of_reader, 0) - reader, average(FALSE, v$r + v$c + v$rc, v$r),
    average(TRUE, v$c + v$tc, 0), average(FALSE, v$c, 0), average(TRUE, total, of_reader)
  )
  list(power = mapply(function(r, cases) {
    power_of_components(r, cases, alpha, areas, components, 1)
  }, n_readers, n_cases))
}
