// Token buckets in Redis or Valkey, shared by all API processes: one script per request, which reads the clock of the server.
import { createHash } from 'node:crypto';
import { SECOND_MS } from '../../domain/time/durations.ts';
import type { RateDecision, RateLimiter, RatePolicy } from '../http/rate-limit.ts';
import { hashKey } from './lease-store.ts';

export type RedisLimiter = RateLimiter & { close(): Promise<void> };

/** Returns the tokens after the call and whether it is allowed. A bucket that is full again expires. */
const TAKE = `
local burst, rate, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = burst
if known[1] then tokens = math.min(burst, tonumber(known[1]) + math.max(0, now - tonumber(known[2])) * rate) end
local allowed = 0
if tokens >= 1 then
  allowed = 1
  tokens = tokens - cost
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate * 1000) + 1000)
return { allowed, tostring(tokens) }
`;
const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');

const CONNECT_LIMIT_MS = 2 * SECOND_MS;
const FIRST_RECONNECT_MS = 50;
const MAX_RECONNECT_MS = SECOND_MS;
const MAX_WAITING = 10_000; // commands
const PING_EVERY_MS = 2 * SECOND_MS;
const SILENT_AFTER_MS = 5 * SECOND_MS;

type Client = {
  sendCommand(args: readonly string[]): Promise<unknown>;
  destroy(): void;
};

/** `prefix` keeps deployments apart that share a server. */
export function createRedisLimiter(url: string, prefix: () => string): RedisLimiter {
  let cause: Error | null = null;
  const opened = openClient(url, (error) => {
    cause = error; // commands fail until it is null again, and the caller reports that
  });

  async function run(key: string, { burst, perSecond }: RatePolicy, cost: 0 | 1): Promise<[number, string]> {
    const args = ['1', `${prefix()}${hashKey(key).toString('base64url')}`, `${burst}`, `${perSecond}`, `${cost}`];
    const client = await opened;
    try {
      return (await client.sendCommand(['EVALSHA', TAKE_SHA, ...args])) as [number, string];
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw cause ?? error;
      return (await client.sendCommand(['EVAL', TAKE, ...args])) as [number, string];
    }
  }

  return {
    async take(key, policy, cost = 1) {
      const [allowed, tokens] = await run(key, policy, cost);
      return describe(policy, allowed === 1, Number(tokens));
    },
    close: async () => (await opened).destroy(),
  };
}

async function openClient(url: string, onChange: (error: Error | null) => void): Promise<Client> {
  const { createClient } = await import('@redis/client'); // loaded only where it is used
  const client = createClient({
    url,
    disableOfflineQueue: true, // fails at once while there is no connection
    commandsQueueMaxLength: MAX_WAITING,
    pingInterval: PING_EVERY_MS,
    socket: {
      socketTimeout: SILENT_AFTER_MS, // a server that hangs keeps the connection open
      connectTimeout: CONNECT_LIMIT_MS,
      reconnectStrategy: (retries) => Math.min(MAX_RECONNECT_MS, FIRST_RECONNECT_MS * 2 ** Math.min(retries, 10)),
    },
  });
  client.on('error', onChange);
  client.on('ready', () => onChange(null));
  client.connect().catch(() => undefined); // it keeps trying
  return client;
}

function describe({ burst, perSecond }: RatePolicy, allowed: boolean, tokens: number): RateDecision {
  return {
    allowed,
    remaining: Math.floor(tokens),
    retryAfterMs: allowed ? 0 : ((1 - tokens) / perSecond) * SECOND_MS,
    fullAfterMs: ((burst - tokens) / perSecond) * SECOND_MS,
  };
}
