#!/usr/bin/env bash
# What this machine's GPU counts for each launch of patterns.cu, fragments.cu and bulk_copies.cu, which
# elements of a matrix its lanes hold after wmma.load, what tensor_copies.cu moves and counts, and what mma.cu and wgmma.cu find, into the given folder, as
# assets/recorded/parity/*.csv keep it for an H200. Needs nvcc, Nsight Compute, and the right to read hardware counters.
# record.sh FOLDER [patterns|fragments|bulk_copies|tensor_copies|mma|wgmma]...   (wgmma: on Hopper alone)
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
to=${1:?say in which folder the tables go}
shift
[ $# -gt 0 ] || set -- patterns fragments bulk_copies tensor_copies mma
for program in nvcc ncu python3; do
  command -v "$program" >/dev/null || { echo "$program is missing" >&2; exit 3; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -1 | tr 'A-Z ' 'a-z_' | sed 's/^nvidia_//')
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op requests=l1tex__t_requests_pipe_lsu_mem_global_op
wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op issued=smsp__inst_executed_op
engine_in=l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma engine_out=l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma

# count PROGRAM METRICS...: a line of each launch's counters, in the order of the metrics, to $work/counted
count() {
  local program=$1 metrics=$2
  ncu --csv --page raw --print-units base --clock-control none --cache-control none \
    --log-file "$work/log.csv" --metrics "$metrics" $program >"$work/launched"
  python3 - "$work/log.csv" "$metrics" >"$work/counted" <<'PY'
import csv, sys
log, metrics = sys.argv[1:]
for row in list(csv.DictReader(line for line in open(log) if line.startswith('"')))[1:]:
    print(*(int(float(row[metric].replace(",", ""))) for metric in metrics.split(",")))
PY
  [ "$(wc -l <"$work/counted")" = "$(wc -l <"$work/launched")" ] ||
    { echo "$program: not every launch was counted" >&2; exit 1; }
}

patterns() {
  count "$work/patterns" "${sectors}_atom.sum,${sectors}_red.sum,${wavefronts}_ld.sum,${wavefronts}_st.sum"
  {
    echo "instruction,pattern,bytes,offsets,count"
    paste -d ' ' "$work/counted" "$work/launched" | awk '{
      at = match($5, /^lds/) ? 3 : match($5, /^sts/) ? 4 : match($5, /^red/) ? 2 : 1
      count = $at
      sub(/^[0-9]+ [0-9]+ [0-9]+ [0-9]+ /, "")
      print $0 "," count }'
  } >"$to/patterns_$gpu.csv"
}

fragments() {
  {
    echo "factor,shape,type,elements"
    "$work/fragments" elements
  } >"$to/fragments_$gpu.csv"
  each=
  for op in ld st; do
    each+=",${requests}_$op.sum,${sectors}_$op.sum,${wavefronts}_$op.sum,${issued}_shared_$op.sum,${issued}_generic_$op.sum"
  done
  count "$work/fragments accesses" "${each#,},${issued}_ldsm.sum"
  {
    # Requests to shared memory are the instructions that made them.
    echo "instruction,memory,stride,offset,requests,sectors,wavefronts"
    paste -d ' ' "$work/counted" "$work/launched" | awk '{
      first = $12 ~ /store/ ? 6 : 1
      shared = $(first + 3) + $(first + 4) + ($12 ~ /store/ ? 0 : $11)
      print $12 "," ($12 ~ /,shared,/ ? shared : $first) "," $(first + 1) "," $(first + 2) }'
  } >"$to/fragment_accesses_$gpu.csv"
}

bulk_copies() {
  local ours="${requests}_ld.sum,${requests}_st.sum,${requests}_atom.sum,${requests}_red.sum"
  count "$work/bulk_copies" "$ours,${wavefronts}_ld.sum,${wavefronts}_st.sum,${engine_in}_ld.sum,${engine_out}_st.sum,${engine_out}_red.sum"
  {
    echo "copy,bytes,offset,requests,wavefronts,load_sectors,store_sectors,reduce_sectors"
    paste -d ' ' "$work/counted" "$work/launched" |
      awk '{ print $10 "," $1 + $2 + $3 + $4 "," $5 + $6 "," $7 "," $8 "," $9 }'
  } >"$to/bulk_copies_$gpu.csv"
}

tensor_copies() {
  {
    echo "arguments,result"
    "$work/tensor_copies" encodings
  } >"$to/tensor_encodings_$gpu.csv"
  # A copy that the GPU refuses ends the program, and the next one begins behind it.
  local from=0 status=100
  : >"$work/bytes"
  while [ $status = 100 ]; do
    status=0
    "$work/tensor_copies" bytes $from >>"$work/bytes" || status=$?
    from=$(wc -l <"$work/bytes")
  done
  [ $status = 0 ] || exit $status
  count "$work/tensor_copies counted" "${engine_in}_ld.sum,${engine_out}_st.sum,${engine_out}_red.sum"
  paste -d ' ' "$work/counted" "$work/launched" | sed 's/,.*//' |
    awk '{ sectors = $1 + $2 + $3; sub(/^[0-9]+ [0-9]+ [0-9]+ /, ""); print $0 "," sectors }' >"$work/sectors"
  {
    echo "copy,bytes,sectors"
    awk -F, 'NR == FNR { sectors[$1] = $2; next } { print $1 "," $2 "," sectors[$1] }' "$work/sectors" "$work/bytes"
  } >"$to/tensor_copies_$gpu.csv"
}

mma() {
  {
    echo "instruction,sum,c,factors,start,result,row_of_a,column_of_b"
    "$work/mma"
  } >"$to/mma_sums_$gpu.csv"
}

wgmma() {
  {
    echo "sum,a,b,c,result,row_of_a,column_of_b"
    "$work/wgmma" sums
  } >"$to/wgmma_sums_$gpu.csv"
  {
    echo "start,leading,stride,base,swizzle,k_apart,line,k,address"
    "$work/wgmma" descriptors
  } >"$to/wgmma_descriptors_$gpu.csv"
  count "$work/wgmma wavefronts" "${wavefronts}_gmma.sum"
  {
    echo "wgmma,start,leading,stride,swizzle,k_apart,wavefronts"
    paste -d, "$work/launched" "$work/counted"
  } >"$to/wgmma_wavefronts_$gpu.csv"
}

for table in "$@"; do
  architecture=native
  [ "$table" != wgmma ] || architecture=sm_90a
  nvcc -std=c++20 -O2 -arch=$architecture -o "$work/$table" "$here/$table.cu" -lcuda
  "$table"
done
