#!/usr/bin/env bash
# The launcher on machines that lack things: copies of it in scratch folders, with programs that only pretend.
# Prints what failed; exit code 1 when something did. Needs nothing but what ./fusebox test has.
set -uo pipefail
checkout=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  echo "FAILED: $1"
  ((++failures))
}
# expect NAME TEXT: the last run's output holds it.
expect() { [[ $output == *"$2"* ]] || fail "$1: expected \"$2\" in:"$'\n'"$output"; }
expect_not() { [[ $output != *"$2"* ]] || fail "$1: \"$2\" is in:"$'\n'"$output"; }
expect_code() { ((code == $2)) || fail "$1: exit code $code instead of $2:"$'\n'"$output"; }

# machine NAME: a copy of the launcher in a folder of that name, where no compiler is found but build/'s, and a PATH with what
# every system has and with programs that pretend: pip fetches as $PIP says, ninja builds as $NINJA says.
machine() {
  root=$scratch/$1
  mkdir -p "$root/bin"
  cp -r "$checkout/fusebox" "$checkout/setup" "$root/"
  # shellcheck disable=SC2016  # expanded there
  echo 'nvcc_places() { printf "%s\n" "$BUILD"/toolkit/nvidia/*/bin/nvcc; }' >>"$root/setup/common.sh"
  # The test's machine has every library: headers are another file's affair.
  echo 'has_header() { true; }; has_library() { true; }' >>"$root/setup/common.sh"
  local tool
  for tool in bash env readlink dirname mkdir cat sha256sum grep head tail rm mv cp mktemp chmod sleep stty awk id \
    flock ln uname cmp date touch seq; do
    ln -sf "$(command -v "$tool")" "$root/bin/$tool"
  done
  for tool in g++ pkg-config Xvfb xauth; do pretend "$tool" 'exit 0'; done
  pretend cmake 'touch "$4/build.ninja"; mkdir -p "$4/bin"; printf "#!/bin/sh\necho graded\n" >"$4/bin/grader"; chmod +x "$4/bin/grader"'
  pretend ninja "${NINJA:-exit 0}"
  pretend python3 '[[ $3 != --version ]] || exit 0; while [[ $1 != --target ]]; do shift; done; target=$2
    '"${PIP:-make_toolkit}"
}
pretend() {
  cat >"$root/bin/$1" <<END
#!/bin/bash
make_toolkit() {
  mkdir -p "\$target/nvidia/cu/bin" "\$target/nvidia/cu/lib" && touch "\$target/nvidia/cu/lib/libcudart.so.13" &&
    printf '%s\n' '#!/bin/bash' '[[ \$1 != --version ]] || { echo "release 13.0"; exit; }' \
      'while [[ \$1 != -o ]]; do shift; done; echo .entry >"\$2"' >"\$target/nvidia/cu/bin/nvcc" &&
    chmod +x "\$target/nvidia/cu/bin/nvcc"
}
$2
END
  chmod +x "$root/bin/$1"
}
# run ARGUMENTS...: the copy's launcher, with that PATH alone.
run() {
  output=$(PATH=$root/bin HOME=$root "$root/fusebox" "$@" 2>&1 </dev/null)
  code=$?
}

machine "with a space and it's"
run grade p20
expect_code "a fresh machine" 0
expect "a fresh machine" "graded"
[[ -e $root/build/toolkit/nvidia/cu/lib64/libcudart.so ]] || fail "the names that -lcudart needs"
chmod 777 "$root" "$root/build"
run nvcc --version
expect "nvcc is the compiler that was installed" "release 13.0"

# An nvcc on PATH that is a way to `./fusebox nvcc` is no compiler that it could find.
machine "a wrapper of its own"
echo 'nvcc_places() { printf "%s\n" "${PATH%%:*}/nvcc" "$BUILD"/toolkit/nvidia/*/bin/nvcc; }' >>"$root/setup/common.sh"
pretend nvcc "exec $(printf %q "$root/fusebox") nvcc \"\$@\""
output=$(PATH=$root/bin HOME=$root "$(command -v timeout)" 20 "$root/fusebox" nvcc --version 2>&1 </dev/null)
code=$?
expect_code "an nvcc that calls the launcher" 0
expect "an nvcc that calls the launcher" "release 13.0"

machine 'a "quote"'
run grade p20
expect_code "nvcc cannot work there" 3
expect "nvcc cannot work there" "move the checkout"

PIP='echo "NewConnectionError: Temporary failure in name resolution"; exit 1' machine "no network"
run grade p20
expect_code "no network" 3
expect "no network" "there is no network here"

PIP='echo "OSError: [Errno 28] No space left on device"; exit 1' machine "no room'"
run grade p20
expect_code "a full disk" 3
expect "a full disk" "is full"
expect "a full disk, its folder as one types it" "$(printf %q "$root/build")"

# The disk was full for a moment: its log is cut short, and there is room again when the step has failed.
PIP='exit 1' machine "little room"
echo 'has_room() { (($2 < 100)); }' >>"$root/setup/common.sh"
run grade p20
expect_code "a disk with little room" 3
expect "a disk with little room" "is full"

# The compiler's temporary folder is full, not the disk of build/.
NINJA='echo "error writing to /tmp/cc1.s: No space left on device"; exit 1' machine "no room in TMPDIR"
echo 'has_room() { [[ $1 == "$BUILD" ]]; }' >>"$root/setup/common.sh"
run grade p20
expect_code "a full TMPDIR" 3
expect "a full TMPDIR" "the disk of ${TMPDIR:-/tmp}, where the compiler keeps"

# What a configuration left that broke off is not built with.
machine "half configured"
run grade p20
good=$(cat "$root/bin/cmake")
rm "$root/build/build.ninja"
pretend cmake 'echo half >"$4/build.ninja"; echo "No space left on device"; exit 1'
run grade p20
expect_code "no room to configure" 3
echo "$good" >"$root/bin/cmake"
run grade p20
expect_code "configured again once there is room" 0
! grep -q half "$root/build/build.ninja" || fail "a build is configured by halves"

machine nothing
rm "$root/bin/ninja" "$root/bin/python3" "$root/bin/Xvfb"
echo 'python_with_pip() { false; }' >>"$root/setup/common.sh"
pretend apt-get 'exit 1'
if ((EUID == 0)); then
  chmod 755 "$scratch" && chmod -R a+rwX "$root"
  output=$(PATH=$root/bin "$(command -v setpriv)" --reuid 65534 --regid 65534 --clear-groups "$root/fusebox" grade p20 2>&1 </dev/null)
  code=$?
else
  run grade p20
fi
expect_code "no rights" 3
expect "no rights: everything at once" \
  "sudo apt-get update && sudo apt-get install -y --no-install-recommends ninja-build python3 python3-pip ca-certificates xvfb"

# What reads archives is asked for by a class alone, which does without.
machine "no archives"
echo 'has_header() { [[ $1 != archive.h ]]; }' >>"$root/setup/common.sh"
pretend apt-get 'exit 1'
pretend sudo 'exit 1'
run grade p20
expect_code "a grade reads no archives" 0
expect_not "a grade reads no archives" libarchive
run class --help
expect_code "a class without archives" 0
expect "a class without archives" "libarchive-dev"
expect "a class without archives" "going on without it"
expect "a class without archives" "graded"

# One line that says how far it is, where lines can be written over; few lines elsewhere.
NINJA='for i in $(seq 1 40); do echo "[$i/40] Building x.o"; sleep 0.05; done' machine "a slow build"
run grade p20
expect_code "a build" 0
expect_not "not a wall of lines" "Building x.o"
((${#output} < 1000)) || fail "a build says too much where nobody watches: $output"
rm "$root/build/build.ninja"
output=$(PATH=$root/bin HOME=$root TERM=xterm "$(command -v script)" -qec "'$root/fusebox' grade p20" /dev/null </dev/null)
expect "progress on a terminal" "/40] "

# Everything that a set-up started ends with it.
PIP='echo $$ >"$HOME/pip.pid"; sleep 60; exit 1' machine interrupted
(PATH=$root/bin HOME=$root exec "$root/fusebox" grade p20 >/dev/null 2>&1 </dev/null) &
launcher=$!
for _ in $(seq 100); do [[ -s $root/pip.pid ]] && break; sleep 0.1; done
kill -TERM "$launcher"
wait "$launcher"
(($? == 130)) || fail "an interrupted set-up's exit code"
! kill -0 "$(cat "$root/pip.pid")" 2>/dev/null || fail "pip outlives an interrupted set-up"

# One that was killed leaves pip behind: the next waits for it, and does not mistake its leavings for anything.
PIP='echo $$ >"$HOME/pip.pid"; mkdir "$target/nvidia"; sleep 3; make_toolkit' machine killed
(PATH=$root/bin HOME=$root exec "$root/fusebox" grade p20 >/dev/null 2>&1 </dev/null) &
launcher=$!
for _ in $(seq 100); do [[ -s $root/pip.pid ]] && break; sleep 0.1; done
kill -KILL "$launcher"
wait "$launcher" 2>/dev/null
mkdir -p "$root/build/toolkit.new.older/nvidia"
pretend python3 '[[ $3 != --version ]] || exit 0; while [[ $1 != --target ]]; do shift; done; target=$2; make_toolkit'
run grade p20
expect_code "after a set-up that was killed" 0
expect "after a set-up that was killed" "waiting for it"
run setup
expect_code "set-up again" 0

# Of the learners' answers a third is tested, and with flags what these say.
machine tests
pretend ctest 'echo "ctest $*"'
run test
expect "tests without flags" "-LE answers_[01]"
run test -R .
expect "all tests" "-R ."
expect_not "all tests" "answers_"

# Without any environment.
machine bare
output=$(env -i "$root/fusebox" help 2>&1)
code=$?
expect_code "no environment" 0
expect_not "no environment" "unbound variable"

((failures == 0)) || exit 1
echo "the launcher does what it says"
