#!/usr/bin/env bash
# The simulator against Oclgrind, the nearest tool of its kind, on the same LayerNorm with races and uninitialised reads looked
# for in both; prints lane accesses a second and their ratio. Both use every core that they can. Needs Debian's oclgrind,
# ocl-icd-opencl-dev and opencl-headers, and a build (./fusebox setup).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
build=${1:-$here/../../build}
rows=${2:-64}   # of Oclgrind's run; the simulator's has 2048
for program in oclgrind cc; do
  command -v "$program" >/dev/null || { echo "$program is missing: apt-get install oclgrind ocl-icd-opencl-dev opencl-headers gcc" >&2; exit 3; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/host" "$here/host.c" -lOpenCL
theirs=$(oclgrind --data-races --uninitialized "$work/host" "$here/layernorm.cl" "$rows" | awk '/^seconds/ { print $2 }')
"$build/bin/simulator_bench" --benchmark_filter='^layernorm/detectors:1/cores:0/' --benchmark_min_time=2 --benchmark_format=json \
  >"$work/ours.json" 2>/dev/null
python3 - "$work/ours.json" "$rows" "$theirs" <<'PY'
import json, sys
ours = json.load(open(sys.argv[1]))["benchmarks"][0]
rows, seconds = int(sys.argv[2]), float(sys.argv[3])
rate = ours["items_per_second"]
accesses_per_row = rate * ours["real_time"] * 1e-3 / 2048
theirs = accesses_per_row * rows / seconds
print(f"simulator  {rate / 1e6:9.2f} M lane accesses/s   2048 rows in {ours['real_time']:.0f} ms")
print(f"Oclgrind   {theirs / 1e6:9.2f} M lane accesses/s   {rows} rows in {seconds * 1e3:.0f} ms")
print(f"ratio      {rate / theirs:9.0f}")
PY
