// Makes one attempt: signs, sends and judges it. Never throws.
import type { KeyObject } from 'node:crypto';
import type { Services } from '../../../platform/services.ts';
import type { ClaimedDelivery, DeliveryOutcome } from './delivery.ts';
import { writeDeliveryRequest } from './delivery-request.ts';
import { judgeAttempt } from './judge-attempt.ts';

export async function makeAttempt(
  services: Pick<Services, 'clock' | 'outbound' | 'settings'>,
  target: { readonly url: string; readonly keys: readonly KeyObject[] },
  delivery: ClaimedDelivery,
): Promise<DeliveryOutcome> {
  const { body } = delivery;
  if (body === null) return { delivery, attempt: null, url: null, status: 'failed', dueAt: null, isGone: false };
  const startedAt = services.clock.now();
  const startMs = performance.now();
  const message = { id: delivery.eventId, at: startedAt, body };
  const { version, deliveryTimeoutMs } = services.settings;
  const request = writeDeliveryRequest(target.keys, message, { version, timeoutMs: deliveryTimeoutMs });
  const answer = await services.outbound.post(target.url, { ...request, kind: 'webhook' });
  const durationMs = performance.now() - startMs;
  return { ...judgeAttempt(delivery, answer, { startedAt, durationMs, random: Math.random() }), url: target.url };
}
