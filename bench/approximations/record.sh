#!/usr/bin/env bash
# What this machine's GPU answers to the operands of assets/recorded/approximations, as tables in the given folder; and
# with --fit SWEEPS, sweeps of whole intervals in the folder SWEEPS, from which fit.py works out the simulator's tables.
# Needs nvcc and a GPU; --fit needs python3 with numpy and scipy too.
# record.sh FOLDER [--fit SWEEPS]
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
to=${1:?say in which folder the tables go}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -std=c++20 -O2 -arch=native -o "$work/approximations" "$here/approximations.cu"
mkdir -p "$to"
"$work/approximations" tables "$here/../../assets/recorded/approximations" "$to"
if [ "${2:-}" = --fit ]; then
  sweeps=${3:?say in which folder the sweeps go}
  mkdir -p "$sweeps"
  "$work/approximations" sweep "$sweeps"
  python3 "$here/fit.py" "$sweeps" "$here/../../grader/simulator/exec/instructions/lanes/approximate_tables.cc"
fi
