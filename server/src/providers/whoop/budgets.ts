// The remaining budget of WHOOP's two limits. https://developer.whoop.com/docs/developing/rate-limiting
import type { ProviderAnswer } from '../contract.ts';

/** The headers describe the limit closest to its end: "100, 100;window=60, 10000;window=86400" begins with its size. */
export function readRateLeft(
  { headers }: ProviderAnswer,
  requests: number,
): { left: number; resetSeconds: number } | null {
  const size = Number.parseInt(headers['x-ratelimit-limit'] ?? '', 10);
  const left = Number.parseInt(headers['x-ratelimit-remaining'] ?? '', 10);
  const resetSeconds = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10);
  return size === requests && left >= 0 && resetSeconds >= 0 ? { left, resetSeconds } : null;
}
