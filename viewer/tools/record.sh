#!/usr/bin/env bash
# Records the reference's run of every puzzle for the viewer's first start: assets/recorded/reports/pNN_slug.json.
# Grades the puzzles as they are handed out, so that a recording holds the reference's numbers and no learner's.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
grader=${1:-$root/build/bin/grader}
folder=$root/assets/recorded/reports
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
cd "$root"
if ! git diff --quiet HEAD -- puzzles; then
  echo "puzzles/ is not as it is handed out: git stash, or ./fusebox dev skeletons" >&2
  exit 2
fi
for file in solutions/p*.cu; do
  name=$(basename "$file" .cu)
  "$grader" "${name%%_*}" --root "$root" --from puzzles --full --seed 1 --no-color --json "$work/$name.json" >"$work/log" || true
  if [[ ! -s $work/$name.json ]]; then
    tail -n 5 "$work/log" >&2
    echo "$name: no report" >&2
    exit 1
  fi
  # Without the indentation: a third of the size.
  python3 - "$work/$name.json" "$folder/$name.json" "$root" <<'PY'
import json, sys
# Paths as seen from the checkout, wherever it lay when this was recorded.
text = open(sys.argv[1]).read().replace(sys.argv[3] + "/", "")
report = json.loads(text)
with open(sys.argv[2], "w") as out:
    json.dump(report, out, separators=(",", ":"), ensure_ascii=False)
    out.write("\n")
PY
  echo "$name $(stat -c %s "$folder/$name.json") bytes"
done
