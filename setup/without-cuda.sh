#!/usr/bin/env bash
# setup/without-cuda.sh COMMAND...: runs the command as on a machine that has no CUDA Toolkit. The places where one may be are
# covered in a mount namespace of their own, so that nothing of this machine changes; needs root. What cannot be hidden is
# said, and ends it with exit code 3: a command that may have met this machine's own toolkit proves nothing.
set -euo pipefail

refuse() {
  echo "without-cuda: $*" >&2
  exit 3
}

(($#)) || { echo "usage: setup/without-cuda.sh COMMAND..." >&2 && exit 2; }
((EUID == 0)) || refuse "hiding this machine's CUDA Toolkit takes root (a mount namespace)"
if [[ ${FUSEBOX_WITHOUT_CUDA:-} != inside ]]; then
  FUSEBOX_WITHOUT_CUDA=inside exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi
unset FUSEBOX_WITHOUT_CUDA

# An empty folder over each toolkit; a link is followed, because the folder that it names is what must be empty.
for place in /usr/local/cuda /usr/local/cuda-* /opt/cuda /opt/cuda-* /usr/lib/cuda /usr/lib/nvidia-cuda-toolkit; do
  [[ -d $place ]] || continue
  mount -t tmpfs -o size=0,mode=755 none "$(readlink -f "$place")"
done
# Of PATH, the folders without an nvcc stay. One that has it among other programs gets a file in its place that nobody can run.
kept=()
IFS=: read -r -a folders <<<"${PATH:-/usr/sbin:/usr/bin:/sbin:/bin}"
for folder in "${folders[@]}" /usr/local/bin /usr/bin; do
  for program in nvcc ptxas fatbinary nvlink cudafe++ cicc; do
    if [[ -f $folder/$program ]]; then mount --bind /dev/null "$(readlink -f "$folder/$program")"; fi
  done
done
for folder in "${folders[@]}"; do
  [[ $folder == *cuda* || ! -d $folder ]] || kept+=("$folder")
done
PATH=$(IFS=: && echo "${kept[*]}")
export PATH
unset CUDA_HOME CUDA_PATH CUDA_ROOT CUDACXX CUDA_INC_PATH NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS LD_LIBRARY_PATH LIBRARY_PATH CPATH \
  CPLUS_INCLUDE_PATH FUSEBOX_NVCC

# Is it true now? A program on PATH or in a usual place, a library or header where compiler and linker look by themselves.
for place in "${folders[@]/%//nvcc}" /usr/local/bin/nvcc /usr/bin/nvcc /usr/local/*/bin/nvcc /opt/*/bin/nvcc /usr/lib/*/bin/nvcc; do
  [[ ! -x $place ]] || refuse "there is still an nvcc: $place"
done
for name in libcudart.so libcudadevrt.a cuda_runtime.h; do
  for folder in /usr/lib /usr/lib64 /usr/local/lib "/usr/lib/$(uname -m)-linux-gnu" /usr/include /usr/local/include; do
    [[ ! -e $folder/$name ]] || refuse "$folder/$name cannot be hidden: remove the package that it is of"
  done
done
exec "$@"
