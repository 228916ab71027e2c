// Finds the host that accepts our connections among the several of DATABASE_URL, at the start and after a failover.
import { AppError } from '../errors.ts';
import { type DatabaseHost, describeHost } from './database-url.ts';

export type HostFinder = {
  /** The host to connect to; null if the driver knows its only one. Searches if there is none yet, or the last one failed. */
  find(): Promise<DatabaseHost | null>;
  /** This host failed or does not accept writes: the next `find` searches. */
  doubt(host: Pick<DatabaseHost, 'host' | 'port'>): void;
};

/** Rejects if the host is unreachable or does not accept what we need. */
type TryHost = (host: DatabaseHost) => Promise<void>;

const RETRY_MS = 100; // between two searches without a result, however many calls wait

export function createHostFinder(
  hosts: readonly DatabaseHost[],
  tryHost: TryHost,
  onFound: (host: DatabaseHost) => void = () => undefined,
): HostFinder {
  if (hosts.length === 0) return { find: async () => null, doubt: () => undefined };
  let found: DatabaseHost | null = null;
  let search: Promise<DatabaseHost> | null = null;

  /** All at once, so that a host that does not respond delays none of the others. */
  async function searchAll(): Promise<DatabaseHost> {
    try {
      found = await Promise.any(hosts.map((host) => tryHost(host).then(() => host)));
      search = null;
      onFound(found);
      return found;
    } catch (error) {
      setTimeout(() => {
        search = null;
      }, RETRY_MS).unref();
      throw noHost(hosts, error instanceof AggregateError ? error.errors : []);
    }
  }

  return {
    async find() {
      if (found) return found;
      search ??= searchAll();
      return search;
    },
    doubt(host) {
      if (found && found.host === host.host && found.port === host.port) found = null;
    },
  };
}

function noHost(hosts: readonly DatabaseHost[], reasons: readonly unknown[]): AppError {
  const lines = hosts.map((host, index) => `${describeHost(host)}: ${describeReason(reasons[index])}`);
  return new AppError('unavailable', {
    cause: reasons.find(isRejection) ?? new Error(`no host accepts connections (${lines.join('; ')})`),
  });
}

function describeReason(reason: unknown): string {
  return reason instanceof Error ? reason.message || String((reason as { code?: string }).code) : String(reason);
}

/** A wrong password or a missing database is the same on all hosts, and waiting does not help. */
function isRejection(reason: unknown): boolean {
  const code = (reason as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^(28|3D)/.test(code);
}
