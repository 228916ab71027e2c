// Decides the outcome of an attempt: success, retry or failure.
import { type OutboundAnswer, parseRetryAfter } from '../../../platform/outbound/index.ts';
import type { Attempt, ClaimedDelivery, DeliveryOutcome } from './delivery.ts';
import { findNextAttempt } from './retry-schedule.ts';

const KEPT_RESPONSE_BYTES = 1_024;
const GONE = 410;

export function judgeAttempt(
  delivery: ClaimedDelivery,
  answer: OutboundAnswer,
  times: { readonly startedAt: Date; readonly durationMs: number; readonly random: number },
): Omit<DeliveryOutcome, 'url'> {
  const attempt = describeAttempt(answer, times);
  if (answer.ok && answer.status >= 200 && answer.status < 300)
    return { delivery, attempt, status: 'succeeded', dueAt: null, isGone: false };
  const isGone = answer.status === GONE;
  const now = new Date(times.startedAt.getTime() + times.durationMs);
  const dueAt =
    isGone || delivery.isTest
      ? null
      : findNextAttempt({
          attempts: delivery.attempts + 1,
          now,
          retryAfterMs: answer.ok ? parseRetryAfter(readHeader(answer.headers['retry-after']), now) : null,
          random: times.random,
        });
  return { delivery, attempt, status: dueAt === null ? 'failed' : 'pending', dueAt, isGone };
}

/**
 * A receiver answers 410 after its webhook got another URL: the 410 does not concern the new URL, which gets the delivery. `urls`: of the
 * webhooks now.
 */
export function keepMoved(
  outcomes: readonly DeliveryOutcome[],
  urls: ReadonlyMap<string, string>,
): readonly DeliveryOutcome[] {
  return outcomes.map((outcome) => {
    const { isGone, delivery, attempt, url } = outcome;
    if (!isGone || attempt === null || (urls.get(delivery.webhookId) ?? url) === url) return outcome;
    const again = delivery.isTest ? {} : ({ status: 'pending', dueAt: attempt.at } as const);
    return { ...outcome, isGone: false, ...again };
  });
}

function describeAttempt(
  answer: OutboundAnswer,
  { startedAt, durationMs }: { readonly startedAt: Date; readonly durationMs: number },
): Attempt {
  return {
    at: startedAt,
    durationMs: Math.round(durationMs),
    status: answer.status,
    error: answer.ok ? describeStatus(answer.status) : answer.reason,
    response: answer.ok ? keepText(answer.body) : '',
  };
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** Without NUL bytes, which a text column cannot store. */
function keepText(body: Buffer): string {
  return body.toString('utf8', 0, KEPT_RESPONSE_BYTES).replaceAll('\0', '');
}

function readHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
