# Makes golden files anew from their inputs, and compares with what is stored:
#
#   Rscript remake.R                    every kind, in this folder
#   Rscript remake.R ranks padjust      these kinds
#   Rscript remake.R ranks --write DIR  and writes what was made as files into DIR
#
# A kind (ranks_*.json) has a script (ranks.R). Its `calls` are R expressions, one for
# each entry of `outputs`; its `given` makes the variables that they use from a file's
# input. Packages that are not installed are read from their sources where the environment
# variable GOLDEN_SOURCES names a folder of them (GOLDEN_SOURCES/scmamp/R/*.R); entries
# whose package is not to be had are listed as not made.

source("json.R")

KINDS <- c(
  "ranks", "padjust", "paired", "cochran", "classic", "sphericity", "manova", "adonis",
  "roc", "mrmc"
)

# ---- packages ------------------------------------------------------------------------

loaded <- new.env()

package_of <- function(name) {
  if (is.null(loaded[[name]])) {
    loaded[[name]] <- if (requireNamespace(name, quietly = TRUE)) {
      asNamespace(name)
    } else {
      from_sources(name)
    }
  }
  loaded[[name]]
}

from_sources <- function(name) {
  folder <- file.path(Sys.getenv("GOLDEN_SOURCES"), name)
  files <- list.files(file.path(folder, "R"), "[.][Rr]$", full.names = TRUE)
  if (Sys.getenv("GOLDEN_SOURCES") == "" || length(files) == 0) {
    stop(errorCondition(name, class = "no_package"))
  }
  package <- new.env(parent = imports_of(folder))
  for (data in list.files(file.path(folder, c("R", "data")), "[.]rda$", full.names = TRUE)) {
    load(data, package)
  }
  for (file in files) {
    sys.source(file, package)
  }
  register_methods(package, folder)
  show_methods(package)
  package
}

# What the package's NAMESPACE imports, as far as it is installed.
imports_of <- function(folder) {
  found <- new.env(parent = globalenv())
  for (import in parseNamespaceFile(basename(folder), dirname(folder))$imports) {
    if (requireNamespace(import[[1]], quietly = TRUE)) {
      exported <- getNamespaceExports(import[[1]])
      wanted <- if (length(import) > 1) intersect(import[[2]], exported) else exported
      for (name in wanted) {
        assign(name, getExportedValue(import[[1]], name), found)
      }
    }
  }
  found
}

register_methods <- function(package, folder) {
  listed <- parseNamespaceFile(basename(folder), dirname(folder))$S3methods
  for (i in seq_len(nrow(listed))) {
    method <- package[[paste(listed[i, 1:2], collapse = ".")]]
    if (is.function(method) && exists(listed[i, 1])) {
      registerS3method(listed[i, 1], listed[i, 2], method)
    }
  }
}

# R finds methods where their generic function is called: those that the NAMESPACE lists
# are registered, those of the package's own generic functions go where all calls see them.
show_methods <- function(package) {
  for (name in ls(package)) {
    generic <- package[[sub("[.][A-Za-z]+$", "", name)]]
    if (is.function(generic) && !identical(generic, package[[name]])) {
      assign(name, package[[name]], globalenv())
    }
  }
}

# In the calls, package::name also finds packages that were read from their sources.
find_in_package <- function(package, name) {
  get(as.character(substitute(name)), package_of(as.character(substitute(package))))
}

# ---- values --------------------------------------------------------------------------

# R's value as the golden files have it: named vectors and lists are objects, matrices
# with names {"matrix", "rows", "cols"}, other matrices lists of rows.
plain <- function(x) {
  if (inherits(x, "htest")) {
    x <- unclass(x)[setdiff(names(x), c("data.name", "stderr", "model", "dist"))]
  }
  if (is.factor(x)) {
    x <- as.character(x)
  }
  if (is.data.frame(x)) {
    own <- !identical(rownames(x), as.character(seq_len(nrow(x))))
    names_of_rows <- if (own) list(.rownames = rownames(x))
    x <- c(as.list(x), names_of_rows)
  }
  if (is.matrix(x) && is.atomic(x)) {
    rows <- lapply(seq_len(nrow(x)), function(i) list_of(unname(x[i, ])))
    if (is.null(dimnames(x))) {
      return(rows)
    }
    names_of <- list(rows = rownames(x), cols = colnames(x))
    return(c(list(matrix = rows), names_of[lengths(names_of) > 0]))
  }
  if (is.list(x)) {
    return(lapply(unclass(x), plain))
  }
  if (is.null(names(x))) as.vector(x) else as.list(x)
}

# One number stays in its row.
list_of <- function(x) if (length(x) == 1) list(x) else x

# The numbers and words of a value, in order, named by where they are.
flat <- function(x) {
  if (is.null(x)) {
    return(NA)
  }
  if (is.list(x) && !is.null(names(x))) {
    x <- x[order(names(x))]
  }
  if (is.list(x)) unlist(lapply(x, flat)) else x
}

SPECIAL <- c(Infinity = Inf, "-Infinity" = -Inf, "NaN" = NaN)

as_numbers <- function(x) {
  x <- unname(x)
  words <- is.character(x) & x %in% names(SPECIAL)
  x[words] <- SPECIAL[x[words]]
  suppressWarnings(as.numeric(x))
}

# Digits that agree, at most 15; numbers below 1e-13 of the largest are rounding.
agreement <- function(made, stored) {
  made <- as_numbers(flat(made))
  stored <- as_numbers(flat(stored))
  if (length(made) != length(stored)) {
    return(0)
  }
  same <- made == stored | (is.na(made) & is.na(stored))
  if (all(same %in% TRUE)) {
    return(15)
  }
  largest <- max(abs(stored[is.finite(stored)]), 0)
  error <- abs(made - stored) / pmax(abs(stored), 1e-13 * largest)
  error[same %in% TRUE] <- 0
  error[is.na(error)] <- Inf
  min(15, max(0, -log10(max(error))))
}

# ---- files ---------------------------------------------------------------------------

# "candisc_Wilks_formula_GARBAGE_..." is made by the call of "candisc_Wilks_formula".
call_name <- function(entry) sub("_(GARBAGE|UNRELIABLE)_.*$", "", entry)

made_entry <- function(call, scope) {
  warnings <- character()
  value <- tryCatch(
    withCallingHandlers(
      list(value = plain(eval(call, scope))),
      warning = function(w) {
        warnings <<- c(warnings, conditionMessage(w))
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) tryInvokeRestart("muffleMessage")
    ),
    no_package = function(e) list(missing = conditionMessage(e)),
    error = function(e) list(error = conditionMessage(e))
  )
  said <- if (length(warnings) > 0) list(warnings = unique(warnings))
  c(list(call = paste(trimws(deparse(call)), collapse = " ")), value, said)
}

remade_outputs <- function(stored, kind) {
  given <- tryCatch(
    kind$given(stored$input, stored$outputs), no_package = function(e) conditionMessage(e)
  )
  if (is.character(given)) {
    return(lapply(stored$outputs, function(entry) list(missing = given)))
  }
  scope <- list2env(given, parent = kind)
  outputs <- list()
  for (entry in names(stored$outputs)) {
    call <- kind$calls[[call_name(entry)]]
    outputs[[entry]] <- if (is.null(call)) {
      list(missing = "a call in the script")
    } else {
      made_entry(call, scope)
    }
  }
  outputs
}

# Families of entries as one list of entries.
entries <- function(outputs) {
  families <- lapply(outputs, `[[`, "adjusted")
  if (all(lengths(families) == 0)) outputs else unlist(families, recursive = FALSE)
}

told <- function(name, outputs, stored) {
  lost <- vapply(outputs, function(x) !is.null(x$missing), NA)
  wanted <- stored[!lost]
  digits <- vapply(names(wanted), function(entry) {
    made <- outputs[[entry]]
    if (!is.null(wanted[[entry]]$error)) {
      return(if (is.null(made$error)) 0 else 15)
    }
    if (is.null(made$error)) agreement(made$value, wanted[[entry]]$value) else 0
  }, 0)
  cat(sprintf(
    "%s: %d of %d entries made, %d alike to the last bit, fewest digits %.1f\n", name,
    sum(!lost), length(stored), sum(digits == 15), min(digits, 15)
  ))
  for (entry in names(digits)[digits < 10]) {
    why <- outputs[[entry]]$error
    cat(sprintf("  %4.1f  %s %s\n", digits[[entry]], entry, if (is.null(why)) "" else why))
  }
  gone <- unique(vapply(outputs[lost], function(x) x$missing, ""))
  if (any(lost)) cat("  not made, no", paste(gone, collapse = ", "), "\n")
}

main <- function(arguments) {
  at <- match("--write", arguments)
  folder <- if (is.na(at)) NULL else arguments[at + 1]
  kinds <- if (is.na(at)) arguments else arguments[seq_len(at - 1)]
  for (name in if (length(kinds) == 0) KINDS else kinds) {
    kind <- new.env(parent = globalenv())
    assign("::", find_in_package, kind)
    sys.source(paste0(name, ".R"), kind)
    for (file in Sys.glob(paste0(name, "_*.json"))) {
      stored <- jsonlite::fromJSON(file, simplifyVector = FALSE)
      remade <- if (is.null(kind$remade)) remade_outputs else kind$remade
      outputs <- remade(stored, kind)
      told(stored$id, entries(outputs), entries(stored$outputs))
      if (!is.null(folder)) {
        stored$outputs <- outputs
        writeLines(json(stored), file.path(folder, file))
      }
    }
  }
}

# Lists of numbers of the input as vectors and matrices.
numbers <- function(x) unlist(x)
rows <- function(x) do.call(rbind, lapply(x, unlist))
table_of <- function(x) {
  found <- rows(x$matrix)
  dimnames(found) <- list(unlist(x$rows), unlist(x$cols))
  found
}

main(commandArgs(TRUE))
