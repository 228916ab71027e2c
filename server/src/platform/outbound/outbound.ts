// Sends all outbound HTTP requests of the service, within limits and only to allowed addresses.
import { createBoundedMap } from '../../domain/bounded-map.ts';
import { checkTarget, checkUrl, type OutboundRules, PUBLIC_ONLY, type UrlCheck } from './check-url.ts';
import { Connector } from './connector.ts';
import { exchange } from './exchange.ts';
import { OriginPools } from './origin-pools.ts';
import type { OutboundAnswer, OutboundFailure } from './outbound-answer.ts';
import { createNameResolver, type ResolveName } from './resolve-name.ts';

/** Histogram buckets, in seconds, for outbound requests up to their timeout. */
export const OUTBOUND_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export type OutboundContent = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Replaces `body`: sent as JSON with its content type. */
  readonly json?: unknown;
  /** From the call to the last byte of the response. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  /** What the request is for, such as `webhook`; the name of its span in traces. */
  readonly kind?: string;
};

type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Redirects are never followed. No method rejects. */
export type Outbound = {
  post(url: string, content: OutboundContent): Promise<OutboundAnswer>;
  request(method: OutboundMethod, url: string, content?: OutboundContent): Promise<OutboundAnswer>;
  /** Whether a URL can be registered. Host names are not resolved. */
  checkUrl(text: string): UrlCheck;
  /** Open connections. */
  readLoad(): { readonly origins: number; readonly sockets: number };
  /** Aborts requests in flight; later requests fail. */
  close(): Promise<void>;
};

/** Without rules: only public addresses over https. */
export type OutboundOptions = Partial<OutboundRules> & {
  /** Replaces name resolution. */
  readonly resolve?: ResolveName;
  /** PEM certificates to trust instead of the well-known authorities. */
  readonly ca?: string;
};

const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_MAX_RESPONSE_BYTES = 65_536;
const KEPT_TARGETS = 1_000; // cached, because parsing a URL takes as long as signing the request

type Target = { readonly origin: string; readonly path: string };

export function createOutbound(options: OutboundOptions): Outbound {
  const { resolve, ca, ...given } = options;
  const rules: OutboundRules = { ...PUBLIC_ONLY, ...given };
  const names = createNameResolver();
  const connector = new Connector({
    rules,
    resolve: (name, isLocal) => (resolve ?? (isLocal ? names.resolveBySystem : names.resolveByServers))(name),
    ...(ca !== undefined && { ca }),
  });
  const pools = new OriginPools(connector);
  const targets = createBoundedMap<string, Target>(KEPT_TARGETS); // valid URLs by text; the address is checked at every connection

  function findTarget(url: string): Target | OutboundFailure {
    const known = targets.get(url);
    if (known) return known;
    const target = readTarget(url, rules);
    if ('message' in target) return target;
    targets.set(url, target);
    return target;
  }

  async function request(method: OutboundMethod, url: string, content: OutboundContent = {}): Promise<OutboundAnswer> {
    const target = findTarget(url);
    if ('message' in target) return target;
    const { headers, body } = packContent(content);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = content;
    return await pools.use(target.origin, (pool) =>
      exchange(pool, { method, path: target.path, headers, body, timeoutMs, maxResponseBytes }),
    );
  }

  return {
    request,
    post: (url, content) => request('POST', url, content),
    checkUrl: (text) => checkUrl(text, rules),
    readLoad: () => ({ origins: pools.size, sockets: connector.openSockets }),
    close: async () => {
      names.cancel();
      await pools.destroy();
      connector.destroy();
    },
  };
}

function readTarget(text: string, rules: OutboundRules): Target | OutboundFailure {
  const check = checkTarget(text, rules);
  if (!check.ok) return { ok: false, reason: 'refused_address', message: check.reason, status: null };
  const { origin, pathname, search } = new URL(check.url);
  return { origin, path: pathname + search };
}

function packContent({ headers = {}, body, json }: OutboundContent) {
  if (json === undefined) return { headers, body: body ?? null };
  return { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) };
}
