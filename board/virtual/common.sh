# Sourced by the shell commands in this folder: where things lie.
set -euo pipefail
# depmod and modinfo are there, which Debian leaves out of a user's path.
PATH=$PATH:/usr/sbin:/sbin
virtual=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
board=$(cd "$virtual/.." && pwd)
store=${WAYPOST_VIRTUAL:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/waypost/virtual}

say() { echo "${0##*/}: $*" >&2; }
die() {
  say "$*"
  exit 1
}

# another_apt FOLDER SUITE
#
# Sets apt_options to what makes apt-get and apt-cache know SUITE alone, with lists of its own in
# FOLDER. Needs no root and touches nothing of the system's apt.
another_apt() {
  local folder=$1 suite=$2 mirror
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mirror=$("$board/debian-mirror")
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  echo "deb [signed-by=$keyring] $mirror $suite main" >"$folder/sources.list"
  apt_options=(-q
    -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State=$folder" -o "Dir::State::status=/dev/null" -o "Dir::Cache=$folder/cache"
    -o Acquire::Languages=none -o APT::Sandbox::User=)
  apt-get "${apt_options[@]}" update >"$folder/log" 2>&1 || {
    tail -n 3 "$folder/log" >&2
    die "apt knows no suite $suite, or does not reach it"
  }
}

# fetch PACKAGE... downloads into the present folder, by another_apt's options.
fetch() {
  apt-get "${apt_options[@]}" download "$@" >download.log 2>&1 || {
    tail -n 3 download.log >&2
    die "cannot download $*"
  }
}

# dependencies PACKAGE PATTERN
#
# The packages that PACKAGE needs, directly or not, whose names match.
dependencies() {
  apt-cache "${apt_options[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts \
    --no-breaks --no-replaces --no-enhances "$1" | grep -E '^[a-z]' | grep -E "$2" | sort -u
}
