// Checks the fields of a webhook beyond their schema.
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { Subscribed } from './webhook.ts';

/** Stored unchanged, because every request checks it again. */
export function readUrlOrThrow({ outbound }: Pick<Services, 'outbound'>, text: string): string {
  const check = outbound.checkUrl(text);
  if (check.ok) return text;
  throw new AppError('invalid_body', { details: { issues: [{ path: 'url', message: check.reason }] } });
}

export function readEvents(events: readonly Subscribed[]): Subscribed[] {
  return [...new Set(events)];
}
