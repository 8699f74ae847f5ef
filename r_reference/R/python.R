# The one way to Python: module pycompare.apps.r_client, plain lists both ways.

state <- new.env(parent = emptyenv())

# Choose the Python that has pycompare; without it reticulate's own choice holds.
pc_python <- function(python = NULL) {
  if (!is.null(python)) reticulate::use_python(python, required = TRUE)
  reticulate::py_config()$python
}

pc_available <- function() {
  tryCatch(
    reticulate::py_available(initialize = TRUE) &&
      reticulate::py_module_available("pycompare.apps.r_client"),
    error = function(e) FALSE
  )
}

client <- function() {
  if (is.null(state$client)) {
    if (!pc_available()) {
      stop(
        "Python has no module 'pycompare': run 'pip install .' in its source folder, ",
        "and name its Python with pc_python(\"/path/to/python\") before other calls",
        call. = FALSE
      )
    }
    state$client <- reticulate::import("pycompare.apps.r_client")
    state$public <- reticulate::import("pycompare")
  }
  state$client
}

# An answer of Python; its message is R's error.
answered <- function(answer) {
  if (!is.null(answer$error)) {
    condition <- structure(
      list(message = answer$error, call = NULL),
      class = c("pycompare_error", "error", "condition")
    )
    stop(condition)
  }
  answer
}
