#!/usr/bin/env bash
# Counts viewer/testdata/rmsnorm_bf16.cu on the simulator, for the calculator's test.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
grader=${1:-$root/build/bin/grader}
data=$root/viewer/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/fusebox" nvcc -std=c++17 -arch=compute_90 -code=compute_90 --cudart shared -o "$work/rmsnorm" "$data/rmsnorm_bf16.cu"
"$grader" sim --root "$root" --json "$work/counts.json" -- "$work/rmsnorm" >/dev/null
python3 - "$work/counts.json" "$data/rmsnorm_bf16.json" <<'PY'
import json, sys
counted = json.load(open(sys.argv[1]))
for launch in counted["launches"]:
    launch["lines"] = []
with open(sys.argv[2], "w") as out:
    for launch in counted["launches"]:
        out.write(json.dumps(launch, separators=(",", ":")) + "\n")
PY
wc "$data/rmsnorm_bf16.json"
