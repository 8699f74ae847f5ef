#!/bin/bash
# Run the gate of the environment's variables; the status is 1 if its verdict blocks.
set -u
given=("$BASELINE" "$CANDIDATE" --margin "$MARGIN" --out "$OUT" --overwrite)
add() { if [ -n "$2" ]; then given+=("$1" "$2"); fi; }
add --metric "${METRIC:-}"
add --block "${BLOCK:-}"
add --slices "${SLICES:-}"
add --slice-margin "${SLICE_MARGIN:-}"
add --budget "${BUDGET:-}"
add --looks "${LOOKS:-}"
pycompare gate "${given[@]}"
status=$?
case $status in
  0) verdict=pass ;;
  1) verdict=fail ;;
  3) verdict=undecided ;;
  *) verdict=error ;;
esac
if [ "$verdict" != error ]; then
  cat "$OUT/comment.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
{
  echo "verdict=$verdict"
  echo "report=$OUT"
} >> "${GITHUB_OUTPUT:-/dev/null}"
case ",${BLOCKS:-fail,undecided,error}," in
  *",$verdict,"*) exit 1 ;;
esac
