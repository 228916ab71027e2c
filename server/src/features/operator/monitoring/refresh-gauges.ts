// Refreshes the gauges of the whole service for a scrape, at most every 15 seconds, without ever failing or delaying it for long.
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import { withinLimit } from '../../../platform/within-limit.ts';
import { readCounts } from './read-counts.ts';

export type GaugeReader = {
  /** Returns within three seconds. While the database is unavailable the gauges keep their values. */
  refresh(): Promise<void>;
};

const KEPT_MS = 15 * SECOND_MS; // as often as Prometheus usually scrapes
const ANSWER_LIMIT_MS = 3 * SECOND_MS; // below the scrape timeout of Prometheus, 10 s

export function createGaugeReader(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics'>,
  limitMs = ANSWER_LIMIT_MS,
): GaugeReader {
  const { clock, log, metrics } = services;
  let running: Promise<void> | null = null;
  let nextMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<void> {
    try {
      metrics.setServiceCounts(await readCounts(services));
      nextMs = clock.monotonicMs() + KEPT_MS;
    } catch (error) {
      log.debug({ err: error }, 'the gauges of the service were not read');
    } finally {
      running = null;
    }
  }

  return {
    refresh: async () => {
      if (running === null && clock.monotonicMs() < nextMs) return;
      running ??= read();
      await withinLimit(running, limitMs).catch(() => undefined);
    },
  };
}
