#!/bin/bash
# Run the gate of the environment's variables; the status is 1 if its verdict blocks.
set -u
report=${OUT:-gate}
end() {
  {
    echo "verdict=$1"
    echo "report=$report"
  } >> "${GITHUB_OUTPUT:-/dev/null}"
  exit "$2"
}
blocks=$(printf %s "${BLOCKS:-}" | tr -d '[:space:]')
blocks=${blocks:-fail,undecided,error}
IFS=, read -ra words <<< "$blocks"
for word in "${words[@]}"; do
  case $word in
    fail | undecided | error) ;;
    *)
      printf "blocks: '%s' is none of fail, undecided, error\n" "$word" >&2
      end error 1
      ;;
  esac
done
# With = and after -- no value is an option.
given=(--out="$report" --overwrite)
add() { if [ -n "$2" ]; then given+=("$1=$2"); fi; }
add --margin "${MARGIN:-}"
add --metric "${METRIC:-}"
add --block "${BLOCK:-}"
add --algorithm "${ALGORITHM:-}"
add --runs "${RUNS:-}"
add --replicate "${REPLICATE:-}"
add --range "${RANGE:-}"
add --cluster "${CLUSTER:-}"
add --slices "${SLICES:-}"
add --slice-margin "${SLICE_MARGIN:-}"
add --budget "${BUDGET:-}"
add --looks "${LOOKS:-}"
add --plan "${PLAN:-}"
given+=(--)
for path in "${BASELINE:-}" "${CANDIDATE:-}"; do
  if [ -n "$path" ]; then given+=("$path"); fi
done
begin=$(mktemp)
trap 'rm -f -- "$begin"' EXIT
pycompare gate "${given[@]}"
status=$?
case $status in
  0) verdict=pass ;;
  1) verdict=fail ;;
  3) verdict=undecided ;;
  *) verdict=error ;;
esac
if [ "$verdict" != error ]; then
  # The verdict is that of this run: not of an earlier one, nor of a page of help.
  if ! [ "$report/gate.json" -nt "$begin" ] ||
    ! grep -q "^ \"verdict\": \"$verdict\"" -- "$report/gate.json"; then
    echo "status $status, but $report/gate.json has no new verdict $verdict" >&2
    end error 1
  fi
  cat -- "$report/comment.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
case ",$blocks," in
  *",$verdict,"*) end "$verdict" 1 ;;
esac
end "$verdict" 0
