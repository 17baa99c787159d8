#!/usr/bin/env bash
# Shared by ../fusebox and nothing else: messages, long steps with a progress line, and what is missing on this machine.
# Exit codes are the grader's: 2 wrong usage, 3 something is missing on this machine, 4 our own mistake.

say() { printf '%s\n' "$*" >&2; }

# missing WHAT REMEDY...: stops with exit code 3.
missing() {
  say "fusebox: $1"
  shift
  local line
  for line in "$@"; do say "  $line"; done
  exit 3
}

# As one would type it: a path may hold spaces and quotes.
quoted() { printf '%q' "$1"; }

# has_room FOLDER MEGABYTES: tries it: who may write how much is not always what df says.
has_room() {
  local probe=$1/.room.$$ code=0
  { head -c "$(($2 * 1048576))" /dev/zero >"$probe"; } 2>/dev/null || code=1
  rm -f "$probe"
  return "$code"
}

# full_folder LOG: the folder whose disk is full, if a step failed for that. What the step wrote may be gone again by now, and on
# a full disk its log is cut short: so there must be room for what the step cannot do without.
full_folder() {
  local says_so=1
  grep -q -a -E 'No space left on device|Disk quota exceeded' "$1" 2>/dev/null || says_so=0
  if ! has_room "$BUILD" "${STEP_NEEDS:-8}"; then
    echo "$BUILD"
  elif ((says_so)) && ! has_room "${TMPDIR:-/tmp}" 8; then
    echo "${TMPDIR:-/tmp}"
  elif ((says_so)); then
    echo "$BUILD"
  fi
}

# A failed step is the disk's affair, or the network's, or somebody's who reads the last lines of its log.
step_failed() {
  local text=$1 log=$2 code=$3 full
  full=$(full_folder "$log")
  if [[ $full == "$BUILD" ]]; then
    missing "the disk of $(quoted "$full") is full ($text)" \
      "free some space (a set-up and build take about 1 GB), then: ./fusebox setup"
  elif [[ -n $full ]]; then
    missing "the disk of $(quoted "$full"), where the compiler keeps what is temporary, is full ($text)" \
      "free some space there, or name another folder: TMPDIR=/path ./fusebox setup"
  fi
  say "fusebox: failed: $text. The last lines of $(quoted "$log"):"
  tail -n 25 "$log" >&2
  if grep -q -a -E 'Temporary failure|Network is unreachable|Could not resolve|Could not connect|NewConnectionError' "$log"; then
    say "fusebox: there is no network here, or it does not reach that far"
  fi
  return "$code"
}

# "[12/232] " when the last thing that the log says is how far ninja is.
how_far() { tail -c 4096 "$1" | grep -a -o -E '^\[[0-9]+/[0-9]+\] ' | tail -n 1; }

# Ends a step with all that it started.
end_step() {
  local polls=0
  kill -TERM -- "-$1" 2>/dev/null
  while kill -0 -- "-$1" 2>/dev/null && ((++polls <= 50)); do sleep 0.1; done
  kill -KILL -- "-$1" 2>/dev/null
  exit 130
}

# tell_progress TEXT LOG SECONDS POLLS: a line that is written over on a terminal; else a line at first and each minute.
tell_progress() {
  local width
  if [[ -t 2 ]]; then
    width=$(stty size <&2 2>/dev/null) && width=${width#* } && ((width > 20)) || width=80
    printf '\r%.*s\033[K' $((width - 1)) "$(how_far "$2")$1 ... $3 s" >&2
  elif (($4 % 120 == 21)); then
    say "$1 ... $(how_far "$2")$( (($3 < 60)) || echo "$3 s")"
  fi
}

# step TEXT LOG COMMAND...: runs it with its output in the log, in a process group of its own, which ends with us. Only a step
# that takes a while says so. Until the last of its processes has ended it keeps the lock of build/: whoever comes after a
# set-up that was killed waits for what lives on of it. STEP_NEEDS: megabytes that it cannot do without.
step() {
  local text=$1 log=$BUILD/logs/$2 start=$SECONDS code=0 pid polls=0
  shift 2
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  set +m
  # shellcheck disable=SC2064  # this step's process
  trap "end_step $pid" INT TERM HUP
  while kill -0 "$pid" 2>/dev/null; do
    if ((++polls <= 20)); then
      sleep 0.02
    else
      tell_progress "$text" "$log" $((SECONDS - start)) "$polls"
      sleep 0.5
    fi
  done
  wait "$pid" || code=$?
  trap - INT TERM HUP
  if ((polls > 20)); then
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
    say "$text ... $((SECONDS - start)) s"
  fi
  ((code == 0)) || step_failed "$text" "$log" "$code"
}

has_header() {
  local folder
  for folder in /usr/include /usr/local/include "/usr/include/$(uname -m)-linux-gnu"; do
    [[ -e $folder/$1 ]] && return 0
  done
  return 1
}

has_library() {
  local folder
  for folder in "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib /usr/local/lib; do
    [[ -e $folder/$1 ]] && return 0
  done
  return 1
}

# missing_packages [PART]: names of the Debian packages in setup/packages.txt that are not there yet, of those that every
# machine needs, or that one part needs.
missing_packages() {
  local package kind witness part
  while read -r package kind witness part; do
    [[ -z $package || $package == '#'* || $part != "${1:-}" ]] && continue
    case $kind in
      program) command -v "$witness" >/dev/null || echo "$package" ;;
      library) has_library "$witness" || echo "$package" ;;
      header) has_header "$witness" || echo "$package" ;;
    esac
  done <"$ROOT/setup/packages.txt"
}

# What fetching the compiler needs, where there is none.
missing_for_compiler() {
  find_nvcc >/dev/null 2>&1 || python_with_pip >/dev/null || printf '%s\n' python3 python3-pip ca-certificates
}

# install_packages TEXT NAME...: with apt, as root or through sudo. Cannot: says which and how, and then names all that is
# missing here for anything, because whoever has to ask an administrator asks once.
install_packages() {
  local text=$1 all=() as_root=()
  shift
  mapfile -t all < <({ printf '%s\n' "$@"; missing_packages; missing_for_compiler; missing_packages class; missing_packages viewer; } | awk '!seen[$0]++')
  local by_hand="sudo apt-get update && sudo apt-get install -y --no-install-recommends ${all[*]}"
  command -v apt-get >/dev/null ||
    missing "missing on this machine: ${all[*]}" "these are Debian's names; install what your system calls them, then: ./fusebox setup"
  if ((EUID != 0)); then
    command -v sudo >/dev/null || missing "missing: $* (no root, no sudo)" "ask an administrator for: $by_hand"
    if ! sudo -n true 2>/dev/null; then
      [[ -t 0 && -t 2 ]] || missing "missing: $* (sudo asks for a password)" "$by_hand"
      sudo -v || missing "missing: $* (sudo refused)" "ask an administrator for: $by_hand"
    fi
    as_root=(sudo -n)
  fi
  # Another apt, of this machine's own updates or of a set-up that was killed, is waited for.
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y
    --no-install-recommends "$@")
  # shellcheck disable=SC2317  # called by step
  # Package lists are fetched only when they are absent or too old to give the packages. Services that a package starts must
  # not keep the lock of build/.
  apt_install() {
    exec 9>&-
    "${install[@]}" || { "${as_root[@]}" dpkg --configure -a && "${as_root[@]}" apt-get update && "${install[@]}"; }
  }
  step "$text" apt.log apt_install || missing "apt could not install: $*" "$by_hand"
}

# nvcc_version NVCC: prints "MAJOR MINOR", or fails. One that calls `./fusebox nvcc` would wait for us, who wait for its answer.
nvcc_version() {
  local answer
  [[ -f $1 && -x $1 ]] && answer=$(FUSEBOX_LOOKS_FOR_NVCC=1 "$1" --version 2>/dev/null) || return 1
  [[ $answer =~ release\ ([0-9]+)\.([0-9]+) ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]}"
}

# Where an nvcc may be, a line each, in the order in which the grader looks (grader/toolchain/find_compiler.cc).
nvcc_places() {
  local -a folders
  if [[ -n ${FUSEBOX_NVCC:-} ]]; then
    echo "$FUSEBOX_NVCC"
    return
  fi
  IFS=: read -r -a folders <<<"$PATH"
  printf '%s/nvcc\n' "${folders[@]}" "${CUDA_HOME:-/none}/bin" "${CUDA_PATH:-/none}/bin" /usr/local/cuda/bin \
    /usr/local/cuda-*/bin /opt/cuda/bin "$BUILD"/toolkit/nvidia/*/bin "$BUILD/toolkit/bin"
}

# The first nvcc of version 12 or newer.
find_nvcc() {
  local nvcc version
  while read -r nvcc; do
    version=$(nvcc_version "$nvcc") || continue
    ((${version% *} >= 12)) && echo "$nvcc" && return 0
    say "fusebox: $nvcc is ${version/ /.}; 12 or newer is needed"
  done < <(nvcc_places)
  return 1
}

# Compiles a kernel with the headers that puzzles use: a compiler that answers --version may still be half there.
probe_nvcc() (
  nvcc=$1 folder=$BUILD/probe
  # Temporary files of nvcc stay in build/ as well.
  rm -rf "$folder" && mkdir -p "$folder" && export TMPDIR=$folder &&
    "$nvcc" -std=c++17 -arch=compute_90 -ptx -o "$folder/probe.ptx" "$ROOT/setup/probe.cu" &&
    "$nvcc" -std=c++17 -gencode 'arch=compute_90,code=[sm_90,compute_90]' -c -o "$folder/probe.o" "$ROOT/setup/probe.cu" &&
    grep -q '\.entry' "$folder/probe.ptx" && rm -rf "$folder"
)

# The wheels hold the libraries of a toolkit under other names than the linker looks for: lib for lib64, and the shared
# runtime without the name that -lcudart means. With both, `nvcc --cudart shared` links programs.
link_toolkit() {
  local home lib
  for home in "$1"/nvidia/*/; do
    [[ -x $home/bin/nvcc ]] || continue
    [[ -e $home/lib64 ]] || ln -s lib "$home/lib64" || return 1
    for lib in "$home"/lib/libcudart.so.*; do
      [[ -e $home/lib/libcudart.so || ! -e $lib ]] || ln -s "${lib##*/}" "$home/lib/libcudart.so" || return 1
    done
  done
}

# probe_toolkit FOLDER: the wheels' compiler compiles a kernel and links with the shared runtime.
probe_toolkit() {
  local nvcc
  nvcc=$(echo "$1"/nvidia/*/bin/nvcc)
  link_toolkit "$1" && probe_nvcc "$nvcc" &&
    "$nvcc" --cudart shared -shared -Xcompiler -fPIC -o "$1/probe.so" "$ROOT/setup/probe.cu" && rm -f "$1/probe.so"
}

# The wheels into a folder of their own, tried out there, and only then moved to build/toolkit. The folder's name is new each
# time: what still runs of a set-up that was killed writes into another.
fetch_toolkit() {
  local fresh
  rm -rf "$BUILD"/toolkit.new*
  fresh=$(mktemp -d "$BUILD/toolkit.new.XXXXXX") && chmod 755 "$fresh" && mkdir "$fresh/.tmp" &&
    TMPDIR=$fresh/.tmp "$1" -m pip install --quiet --disable-pip-version-check --no-input --no-deps --only-binary=:all: \
      --no-compile --require-hashes --root-user-action=ignore --target "$fresh" -r "$ROOT/setup/cuda-compiler.txt" &&
    cp "$ROOT/setup/cuda-compiler.txt" "$fresh/" && probe_toolkit "$fresh" && rm -rf "$fresh/.tmp" &&
    rm -rf "$BUILD/toolkit" && mv "$fresh" "$BUILD/toolkit" && return 0
  rm -rf "$fresh"
  return 1
}

# The toolkit in build/ is the pinned one and compiles a kernel; otherwise it goes away, to be fetched again.
check_toolkit() {
  [[ -d $BUILD/toolkit ]] || return 0
  if ! { cmp -s "$ROOT/setup/cuda-compiler.txt" "$BUILD/toolkit/cuda-compiler.txt" &&
    probe_toolkit "$BUILD/toolkit" >/dev/null 2>&1; }; then
    rm -rf "$BUILD/toolkit"
  fi
}

python_with_pip() {
  local python
  for python in python3 /usr/bin/python3; do
    "$python" -m pip --version >/dev/null 2>&1 && echo "$python" && return 0
  done
  return 1
}
