# From a plan to signed evidence: the commands of the same names, without a terminal.

pc_plan <- function(data, kind = c("long", "wide", "predictions", "readers", "curves",
                                   "model", "battles"), file = NULL, ...) {
  kind <- match.arg(kind)
  check_path(data, "data")
  check_arguments(list(...))
  arguments <- list(...)
  if (kind != "long") arguments[[kind]] <- TRUE
  if (!is.null(file)) arguments$folder <- dirname(path.expand(file))
  text <- answered(client()$plan(path.expand(data), as_mapping(arguments)))$text
  if (is.null(file)) return(text)
  file <- path.expand(file)
  if (file.exists(file)) stop("file: ", file, " exists; choose another", call. = FALSE)
  writeLines(enc2utf8(text), file, sep = "", useBytes = TRUE)
  invisible(file)
}

pc_seal <- function(plan, by, role = NULL, meaning = NULL, reason = NULL) {
  check_path(plan, "plan")
  signed <- list(by = by, role = role, meaning = meaning, reason = reason)
  answer <- answered(client()$seal(path.expand(plan), as_mapping(signed)))
  structure(answer[c("trail", "sha256")], class = "pc_seal")
}

print.pc_seal <- function(x, ...) {
  cat("Sealed: ", x$trail, "\nSHA-256 of this entry: ", x$sha256, "\n", sep = "")
  invisible(x)
}

pc_run <- function(plan, by = NULL, folder = NULL, ...) {
  check_path(plan, "plan")
  check_arguments(list(...))
  if (is.null(folder) && length(list(...)) > 0) {
    stop("folder: name the folder of the report, or leave ", ...names()[1], " out",
      call. = FALSE)
  }
  arguments <- if (is.null(by)) list() else list(by = by)
  roles <- list(plan = path.expand(plan))
  found <- ask("run_plan", "plan", reticulate::dict(), roles, arguments)
  if (!is.null(folder)) found$folder <- pc_report(found, folder, ...)
  found
}

pc_verify <- function(folder, ...) on_folders("verify", list(folder), list(...))

pc_diff <- function(first, second) on_folders("diff", list(first, second), list())

pc_unblind <- function(folder, to, ...) {
  arguments <- c(list(to = path.expand(to)), list(...))
  on_folders("unblind", list(folder), arguments)
}

# No data yet: the power of a study of a design, such as "paired-t".
pc_power <- function(design, ..., n = NULL, target = NULL, trials = NULL, alpha = NULL,
                     seed = NULL) {
  check_arguments(list(...))
  options <- list(n = n, target = target, trials = trials, alpha = alpha, seed = seed)
  if (length(n) > 1) options$n <- as.list(n)
  answer <- client()$power(design, as_mapping(list(...)), as_mapping(options))
  pc_result(answered(answer), "power")
}

on_folders <- function(name, folders, arguments) {
  for (folder in folders) check_path(folder, "folder")
  check_arguments(arguments)
  paths <- lapply(folders, path.expand)
  answer <- answered(client()$on_folders(name, paths, as_mapping(arguments)))
  answer$table <- if (!is.null(answer$table)) from_python(answer$table)
  structure(answer, class = "pc_check")
}

print.pc_check <- function(x, ...) {
  cat(x$text, "\n", sep = "")
  invisible(x)
}

check_path <- function(path, name) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) {
    stop(name, ": give one path", call. = FALSE)
  }
}
