#!/usr/bin/env bash
# The README's pictures, out of the reference's own reports: assets/pictures/. Needs a virtual display (Debian: xvfb).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
bin=${1:-$root/build/bin}
pictures=$root/assets/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pictures"
cd "$root"
for puzzle in p08 p20; do
  "$bin/grader" "$puzzle" --root "$root" --from solutions --seed 1 --no-color --json "$work/$puzzle.json" >/dev/null
done
shoot() { FUSEBOX_ROOT=$root xvfb-run -a -s "-screen 0 1280x1024x24" "$bin/viewer" --size 1280x800 "$@"; }
cat >"$work/p20" <<END
tab launches
shot $pictures/launches.png
tab traffic
hover bar:normalized.unfused.you.written
shot $pictures/traffic.png
tab timings
shot $pictures/timings.png
tab source
theme dark
shot $pictures/source.png
END
shoot --student "$work/p20.json" --script "$work/p20"
shoot --student "$work/p08.json" --tab warp --screenshot "$pictures/warp.png"
ls -l "$pictures"
