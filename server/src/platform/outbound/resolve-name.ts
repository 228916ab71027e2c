// Resolves a host name to all of its addresses.
import { lookup, Resolver } from 'node:dns/promises';
import { OutboundError } from './outbound-answer.ts';

export type ResolveName = (name: string) => Promise<readonly string[]>;

type NameResolver = {
  /** Uses the operating system: hosts file, search list, local names. A slow look-up blocks a thread. */
  readonly resolveBySystem: ResolveName;
  /** Queries only the name servers, without a thread, so that slow names of customers delay nobody else. */
  readonly resolveByServers: ResolveName;
  /** Cancels pending look-ups. */
  cancel(): void;
};

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;

export function createNameResolver(servers?: readonly string[]): NameResolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  return {
    resolveBySystem: async (name) => {
      const found = await lookup(name, { all: true }).catch(rethrow);
      return found.map(({ address }) => address);
    },
    resolveByServers: async (name) => {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length === 0) rethrow(answers.find((answer) => answer.status === 'rejected')?.reason);
      return addresses;
    },
    cancel: () => resolver.cancel(),
  };
}

function rethrow(cause: unknown): never {
  throw new OutboundError('connection', 'The host name could not be resolved.', { cause });
}
