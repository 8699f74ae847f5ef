# ROC curve, area and partial areas by pROC.

# truth: 0 and 1; score: one vector. Higher scores are more positive, always.
roc_of <- function(truth, score) {
  pROC::roc(truth, score, levels = c(0, 1), direction = "<", quiet = TRUE)
}

# truth: 0 and 1 per case; score: cases x one classifier.
roc_curve_reference <- function(truth, score) {
  curve <- roc_of(truth, score[, 1])
  part <- function(range, focus, correct) {
    as.numeric(pROC::auc(
      curve,
      partial.auc = range, partial.auc.focus = focus, partial.auc.correct = correct,
      allow.invalid.partial.auc.correct = TRUE
    ))
  }
  # pROC goes from the lowest threshold up, and puts thresholds between the scores.
  list(
    threshold = sort(unique(score[, 1]), decreasing = TRUE),
    fpr = rev(1 - curve$specificities), tpr = rev(curve$sensitivities),
    auc = as.numeric(pROC::auc(curve)),
    partial_fpr = part(c(0.9, 0.6), "specificity", FALSE),
    partial_tpr = part(c(0.6, 0.95), "sensitivity", FALSE),
    mcclish_fpr = part(c(0.9, 0.6), "specificity", TRUE),
    mcclish_tpr = part(c(0.6, 0.95), "sensitivity", TRUE)
  )
}
