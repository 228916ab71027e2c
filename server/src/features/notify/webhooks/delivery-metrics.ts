// Prometheus metrics of event publishing and webhook deliveries.
import { Counter, Histogram, type Registry } from 'prom-client';
import { OUTBOUND_BUCKETS } from '../../../platform/outbound/index.ts';

export type DeliveryMetrics = {
  countPublished(events: number): void;
  observeAttempt(outcome: 'succeeded' | 'failed', seconds: number): void;
};

export function registerDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const published = new Counter({
    name: 'tributary_events_total',
    help: 'Events published to a feed (this process)',
    registers,
  });
  const attempts = new Histogram({
    name: 'tributary_webhook_attempt_seconds',
    help: 'Duration of webhook delivery attempts, by outcome (this process)',
    labelNames: ['outcome'],
    buckets: OUTBOUND_BUCKETS,
    registers,
  });
  const outcomes = { succeeded: attempts.labels('succeeded'), failed: attempts.labels('failed') };
  return {
    countPublished: (events) => published.inc(events),
    observeAttempt: (outcome, seconds) => outcomes[outcome].observe(seconds),
  };
}
