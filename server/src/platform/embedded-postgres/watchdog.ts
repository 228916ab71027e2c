// Stops the server if the service dies unexpectedly (kill -9, out of memory). A shell in its own session reads from a pipe that
// only the service holds open: the pipe closes when the service ends.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { presentSpawnIdentity, type UnixAccount } from './account.ts';
import type { PostgresLog } from './server-log.ts';

export type Watchdog = {
  /** Sets the process to stop. */
  watch(postmasterPid: number): void;
  /** Call when the server was stopped cleanly. */
  dismiss(): Promise<void>;
};

/** If the watchdog keeps being killed, start one per second and not thousands. */
const RESPAWN_DELAY_MS = 1000;

/**
 * Runs in the cluster's folder, so that it works after a rename of the data folder. Signals only the given process, and only
 * while postmaster.pid has its PID and (on Linux) it runs in this folder; waits for a server that is still starting. Fast
 * shutdown first, immediate shutdown after ten seconds.
 */
const SCRIPT = `
trap '' INT TERM HUP
pid=
while read -r word value; do
  case $word in
    watch) pid=$value ;;
    dismiss) exit 0 ;;
  esac
done
is_ours() {
  kill -0 "$pid" 2>/dev/null || exit 0
  read -r named < postmaster.pid && [ "$named" = "$pid" ] || return 1
  [ ! -e /proc/self/cwd ] || [ "/proc/$pid/cwd" -ef . ]
}
[ -n "$pid" ] || exit 0
seconds=0
signalled=
while [ $seconds -lt 20 ]; do
  if is_ours; then
    if [ -z "$signalled" ]; then kill -INT "$pid"; signalled=1
    elif [ $seconds -ge 10 ]; then kill -QUIT "$pid"
    fi
  elif [ -n "$signalled" ]; then exit 0
  fi
  sleep 1
  seconds=$((seconds + 1))
done
`;

export function startWatchdog(clusterDir: string, account: UnixAccount | null, log: PostgresLog): Watchdog {
  let watched: number | null = null;
  let dismissed = false;
  let shell = spawnShell();

  function spawnShell(): ChildProcess {
    // Node opens the pipe with close-on-exec, so no other child inherits our end.
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'tributary-postgres-watchdog'], {
      ...presentSpawnIdentity(account),
      cwd: clusterDir,
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.once('error', (error) => {
      if (dismissed) return;
      log.error({ err: error }, 'could not start the watchdog of PostgreSQL, trying again');
      setTimeout(respawn, RESPAWN_DELAY_MS).unref();
    });
    child.once('exit', () => {
      if (dismissed) return;
      log.warn({}, 'the watchdog of PostgreSQL ended, restarting it');
      setTimeout(respawn, RESPAWN_DELAY_MS).unref();
    });
    (child as ChildProcess).stdin?.on('error', () => undefined); // no pipes if there are too many open files
    return child;
  }

  function respawn() {
    if (dismissed) return;
    shell = spawnShell();
    if (watched !== null) shell.stdin?.write(`watch ${watched}\n`);
  }

  return {
    watch: (postmasterPid) => {
      watched = postmasterPid;
      shell.stdin?.write(`watch ${postmasterPid}\n`);
    },
    dismiss: async () => {
      dismissed = true;
      if (shell.pid === undefined || shell.exitCode !== null || shell.signalCode !== null) return;
      const ended = once(shell, 'exit');
      shell.stdin?.end('dismiss\n');
      await ended;
    },
  };
}
