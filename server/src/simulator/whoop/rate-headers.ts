// For the limit that is reached first, followed by both limits: `100, 100;window=60, 10000;window=86400`.
import type { RateUse } from '../rate-meter.ts';

export function writeRateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>> {
  const left = ({ limit, used }: RateUse) => Math.max(0, limit - used);
  const [closest] = uses.toSorted((a, b) => left(a) - left(b));
  if (closest === undefined) return {};
  const budgets = uses.map(({ limit, windowSeconds }) => `${limit};window=${windowSeconds}`);
  return {
    'x-ratelimit-limit': [closest.limit, ...budgets].join(', '),
    'x-ratelimit-remaining': String(left(closest)),
    'x-ratelimit-reset': String(closest.resetSeconds),
  };
}
