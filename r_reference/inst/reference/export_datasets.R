# Data sets of mlbench and kernlab as CSV: Rscript export_datasets.R FOLDER
#
# One file per data set, features as numbers with all digits, the last column `class`.
# Missing values are empty fields. Nothing is left out but identifiers of cases. Debian:
# r-cran-mlbench, r-cran-kernlab.

# A factor of numbers is a number; yes and no are 1 and 0; anything else is
# rejected.
as_number <- function(column, name) {
  if (is.numeric(column)) return(column)
  text <- as.character(column)
  text[text == "y"] <- "1"
  text[text == "n"] <- "0"
  number <- suppressWarnings(as.numeric(text))
  if (any(is.na(number) & !is.na(text))) stop(name, " is not a number")
  number
}

with_all_digits <- function(x) ifelse(is.na(x), "", sprintf("%.17g", x))

export <- function(package, name, class, without = character()) {
  place <- new.env()
  data(list = name, package = package, envir = place)
  frame <- place[[name]]
  features <- frame[, setdiff(names(frame), c(class, without))]
  found <- Map(as_number, features, names(features))
  found <- as.data.frame(lapply(found, with_all_digits))
  found[["class"]] <- as.character(frame[[class]])
  path <- file.path(folder, paste0(name, ".csv"))
  # Whole or not there: a run that is killed leaves no half of a file.
  write.csv(found, paste0(path, ".part"), row.names = FALSE, fileEncoding = "UTF-8")
  invisible(file.rename(paste0(path, ".part"), path))
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) stop("give one folder to write to")
folder <- arguments[1]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

export("mlbench", "BreastCancer", "Class", without = "Id")
export("mlbench", "DNA", "Class")
export("mlbench", "HouseVotes84", "Class")
export("mlbench", "Ionosphere", "Class")
export("mlbench", "LetterRecognition", "lettr")
export("mlbench", "PimaIndiansDiabetes2", "diabetes")
export("mlbench", "Satellite", "classes")
export("mlbench", "Shuttle", "Class")
export("mlbench", "Sonar", "Class")
export("mlbench", "Vehicle", "Class")
export("kernlab", "musk", "Class")
export("kernlab", "spam", "type")
