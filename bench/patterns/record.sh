#!/usr/bin/env bash
# What this machine's GPU counts for each pattern of patterns.cu, as assets/recorded/parity/patterns_h200.csv keeps it. Needs nvcc,
# Nsight Compute, and the right to read hardware counters.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
to=${1:?say where the table goes}
for program in nvcc ncu python3; do
  command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 3; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -std=c++17 -O2 -arch=native -o "$work/patterns" "$here/patterns.cu"
l1=l1tex__t_sectors_pipe_lsu_mem_global_op shared=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
ncu --csv --page raw --print-units base --clock-control none --cache-control none --log-file "$work/counted.csv" \
  --metrics "${l1}_atom.sum,${l1}_red.sum,${shared}_ld.sum,${shared}_st.sum" "$work/patterns" >"$work/launched.csv"
python3 - "$work/counted.csv" "$work/launched.csv" "$l1" "$shared" >"$to" <<'PY'
import csv, sys
counted, launched, l1, shared = sys.argv[1:]
rows = list(csv.DictReader(line for line in open(counted) if line.startswith('"')))[1:]
lines = [line.rstrip("\n") for line in open(launched) if line.count(",") == 3]
assert len(rows) == len(lines), f"{len(rows)} launches counted of {len(lines)}"
print("instruction,pattern,bytes,offsets,count")
metric = {"lds": f"{shared}_ld.sum", "sts": f"{shared}_st.sum", "red": f"{l1}_red.sum"}
for row, line in zip(rows, lines):
    name = line.split(",")[0]
    assert row["Kernel Name"].startswith(name), (row["Kernel Name"], name)
    print(f"{line},{int(float(row[metric.get(name[:3], l1 + '_atom.sum')].replace(',', '')))}")
PY
