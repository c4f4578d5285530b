# shellcheck shell=bash
# What the steps of scripts/clean-room share; runs in the room, in bash.
#
#   step NAME COMMAND...   runs it, keeps its output in /log/NAME, says how it
#                          went and how long it took; a step whose name begins
#                          with "download" counts as a download
#   as_user COMMAND...     as an unprivileged user, in its home directory
#   links                  what the system would start, for a comparison

export DEBIAN_FRONTEND=noninteractive
TIMEFORMAT='%0R %0U %0S'
failures=0
user=guest

step() {
  local name=$1 seconds code=0
  shift
  { time "$@" >"/log/$name" 2>&1 </dev/null; } 2>/log/.time || code=$?
  read -r seconds user_time system_time < <(tail -n 1 /log/.time)
  printf '%-22s %-6s %6s s %6s s of processor\n' "$name" \
    "$([ $code = 0 ] && echo ok || echo "FAILED")" "$seconds" \
    $((user_time + system_time))
  [ $code != 0 ] || return 0
  failures=$((failures + 1))
  echo "  exit code $code; the end of its output (all of it: log/$name):"
  tail -n 40 "/log/$name" | sed 's/^/  | /'
  return "$code"
}

as_user() {
  setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \
    env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="/home/$user" USER="$user" \
    LANG=C.UTF-8 bash -euc 'cd && "$@"' - "$@"
}

# What is started when the machine is; not rcS.d, where scripts set it up once.
links() {
  find /etc/systemd /etc/rc[2-5].d -type l 2>/dev/null | sort
}

# Nothing may have been enabled since `links >/log/.links`, nor be running but us.
no_services() {
  links | diff /log/.links - || return 1
  local process
  for process in /proc/[0-9]*; do
    [ "$(stat -c %u "$process" 2>/dev/null)" != "" ] || continue
    case $(tr '\0' ' ' <"$process/cmdline" 2>/dev/null) in
    '' | bash* | /bin/bash* | tr*) ;;
    *)
      echo "still running: $(tr '\0' ' ' <"$process/cmdline")"
      return 1
      ;;
    esac
  done
}

# Compiles the example with what is installed in $1, and finds its bug.
use_it() {
  local bin=$1 example=$2 code=0
  rm -rf use && mkdir use && cd use || return
  "$bin/fairlead" doctor
  "$bin/fairlead-c++" -std=c++20 -O2 -g "$example" -o lost_update
  "$bin/fairlead" test --executions 5000 -- ./lost_update || code=$?
  [ $code = 1 ] || { echo "exit code $code instead of 1"; return 1; }
  "$bin/fairlead" show 1
  code=0
  "$bin/fairlead" replay 1 --times 20 || code=$?
  [ $code = 1 ] || { echo "exit code $code instead of 1"; return 1; }
}
