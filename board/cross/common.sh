# Sourced by the commands in this folder: where things lie, and a way into the chroot.
set -euo pipefail
cross=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
checkout=$(cd "$cross/../.." && pwd)
toolchain=${WAYPOST_TOOLCHAIN:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/waypost/arm64}
built=$checkout/.build-arm64

say() { echo "${0##*/}: $*" >&2; }
die() {
  say "$*"
  exit 1
}

# Mounts and chroots are root's. What is built still belongs to the checkout's owner.
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || die "needs root, and there is no sudo"
  exec sudo WAYPOST_TOOLCHAIN="$toolchain" ${WAYPOST_TEST_DATA:+WAYPOST_TEST_DATA="$WAYPOST_TEST_DATA"} \
    "$0" "$@"
fi

# What the toolchain is made from. When this changes, the toolchain is made again.
recipe() {
  {
    cat "$cross/toolchain"
    grep -E '^(library|loaded|tool|test) ' "$checkout/board/packages"
  } | sha256sum | cut -d ' ' -f 1
}

# Makes the toolchain if it is missing or out of date, and keeps other checkouts from replacing it
# while this one uses it.
hold_toolchain() {
  "$cross/toolchain"
  exec 9<"$toolchain.lock"
  flock --shared 9
}

# in_chroot VARIABLE=VALUE... COMMAND...
#
# Runs the command in the amd64 chroot that has Debian's Swift compiler, in the checkout's
# folder, as the checkout's owner. The chroot sees the checkout, the toolchain and the large
# test data under their own names, and whatever local folders git's address rewrites
# (url.*.insteadOf) name; the rewrites too, but nothing else of git's settings. Of what was
# built it sees the folder $built_here, when set, in place of .build. The mounts lie in a
# namespace of their own and go with the command.
in_chroot() {
  local root=$toolchain/host data=${WAYPOST_TEST_DATA:-$checkout/../shared/data} key value
  local folders=("$checkout" "$toolchain/sysroot" "$toolchain/sdk")
  local settings=$root/etc/gitconfig
  rm -f "$settings"
  git config --file "$settings" safe.directory '*'
  while read -r key value; do
    git config --file "$settings" --add "$key" "$value"
    key=${key#url.}
    key=${key%.insteadof}
    [[ $key != /* ]] || folders+=("$key")
  done < <(git config --get-regexp '^url\..*\.insteadof$' || true)
  [ ! -d "$data" ] || folders+=("$(realpath "$data")")

  unshare --mount --propagation private bash -euc '
    root=$1 owner=$2 place=$3 built=$4 count=$5
    shift 5
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    for folder in "${@:1:count}"; do
      mkdir -p "$root$folder"
      mount --bind "$folder" "$root$folder"
    done
    shift "$count"
    [ -z "$built" ] || mount --bind "$built" "$root$place/.build"
    exec chroot --userspec="$owner" "$root" /usr/bin/env -i --chdir="$place" HOME=/tmp \
      LANG=C.UTF-8 TERM=dumb PATH=/usr/libexec/swift/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
  ' - "$root" "$(stat -c '%u:%g' "$checkout")" "$checkout" "${built_here:-}" \
    "${#folders[@]}" "${folders[@]}" "$@"
}

# cross_swift SWIFT-COMMAND [VARIABLE=VALUE...] -- OPTION...
#
# Runs swift-build or swift-test for arm64, with build files apart from the native ones.
cross_swift() {
  local command=$1 pkgconfig=$toolchain/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig variables=()
  shift
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  shift
  in_chroot "${variables[@]}" PKG_CONFIG_SYSROOT_DIR="$toolchain/sysroot" \
    "$command" --swift-sdks-path "$toolchain/sdk" --swift-sdk debian-arm64 \
    --pkg-config-path "$pkgconfig" --pkg-config-path "$toolchain/sysroot/usr/share/pkgconfig" \
    --scratch-path "$built" "$@"
}

# Lets the kernel start arm64 programs through qemu, once. The F flag makes it open the
# emulator now, so that the rule works inside the chroot as well.
register_emulator() {
  local place=/proc/sys/fs/binfmt_misc magic mask
  [ -e $place/register ] || mount -t binfmt_misc binfmt_misc $place
  ! grep -qs '^flags:.*F' $place/qemu-aarch64 $place/waypost-arm64 || return 0
  # The first 20 bytes of a 64-bit little-endian ELF program or shared object for AArch64.
  magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf '%s' ":waypost-arm64:M::$magic:$mask:$(command -v qemu-aarch64-static):PF" \
    >$place/register
}
