#!/usr/bin/env bash
# setup/try-debian.sh 12|13 [COMMAND...]: what a new user sees on a bare Debian. Makes the smallest system that debootstrap
# knows, clones what is committed here into it, and runs the README's two commands there, then the viewer. With a
# COMMAND, that instead ("bash" to look around). Needs root and debootstrap. The system is kept and used again, in
# $FUSEBOX_ROOTS or ~/.cache/fusebox/roots; rm -rf it to start from nothing.
set -euo pipefail
checkout=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")

case ${1:-} in
  12) suite=bookworm ;;
  13) suite=trixie ;;
  *) echo "usage: setup/try-debian.sh 12|13 [COMMAND...]" >&2 && exit 2 ;;
esac
version=$1
shift
((EUID == 0)) || { echo "try-debian: needs root (debootstrap, mounts, chroot)" >&2 && exit 3; }
command -v debootstrap >/dev/null || { echo "try-debian: apt-get install debootstrap" >&2 && exit 3; }

# Everything is mounted in a namespace of its own: nothing is left behind, however this ends.
if [[ ${FUSEBOX_TRY_DEBIAN:-} != inside ]]; then
  FUSEBOX_TRY_DEBIAN=inside exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$version" "$@"
fi

roots=${FUSEBOX_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/fusebox/roots}
root=$roots/debian-$version
# This machine's own way to packages: its mirror, its certificates, its apt and pip settings.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null | sed 's/#.*//' |
  grep -oE 'https?://[^ ]+/debian/?( |$)' | tr -d ' ' | sed -n 1p || true)
if [[ ! -e $root/.complete ]]; then
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"}
  touch "$root/.complete"
fi
for settings in /etc/apt/apt.conf.d/*; do
  # A setting that this system does not ship belongs to this machine (a proxy, a timeout).
  dpkg -S "$settings" >/dev/null 2>&1 || cp "$settings" "$root/etc/apt/apt.conf.d/"
done
for file in /etc/pip.conf /etc/resolv.conf; do
  if [[ -e $file ]]; then cp -L "$file" "$root$file"; fi
done
# Beside those that the system installs itself: this machine may trust a proxy of its own.
certificates=/etc/certificates-of-the-host.crt
if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
  cp -L /etc/ssl/certs/ca-certificates.crt "$root$certificates"
  export PIP_CERT=$certificates SSL_CERT_FILE=$certificates REQUESTS_CA_BUNDLE=$certificates
fi

mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"

# A clone that is brought up to date: what was built and fetched in it before is used again.
clone=$root/root/fusebox
[[ -d $clone/.git ]] || git clone -q --no-hardlinks "$checkout" "$clone"
git -C "$clone" fetch -q "$checkout" HEAD
git -C "$clone" reset -q --hard FETCH_HEAD
work() { env -u CUDA_HOME -u CUDA_PATH -u LD_LIBRARY_PATH -u PIP_FIND_LINKS PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
  chroot "$root" bash -c 'cd /root/fusebox && "$@"' try "$@"; }
if (($#)); then
  work "$@"
  exit
fi

warned=0
# After each command: the next one's build writes its own log.
look_for_warnings() {
  if grep -a -n 'warning:' "$root"/root/fusebox/build/logs/build.log; then warned=1; fi
}
# An empty puzzle is graded as not passed: 1 is right.
work ./fusebox grade p20 --once || (($? == 1))
look_for_warnings
work ./fusebox view --help >/dev/null
work ./fusebox class --help >/dev/null
work xvfb-run -a ./fusebox view p20 --screenshot build/view.png --tab traffic
look_for_warnings
# A suite in which something fails has been built all the same.
passed=0
work ./fusebox test || passed=$?
look_for_warnings
((warned == 0)) || { echo "try-debian: the compiler warned, see above" >&2 && exit 1; }
((passed == 0)) || exit "$passed"
echo "try-debian: Debian $version builds without a warning and passes."
