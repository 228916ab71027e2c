// What a caller may say of a webhook, checked beyond its shape.
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import type { Subscribed } from './webhook.ts';

/** Kept as it was given: every request checks it again and reads it the same way. */
export function readUrlOrThrow({ outbound }: Services, text: string): string {
  const check = outbound.checkUrl(text);
  if (check.ok) return text;
  throw new AppError('invalid_body', { details: { issues: [{ path: 'url', message: check.reason }] } });
}

export function readEvents(events: readonly Subscribed[]): Subscribed[] {
  return [...new Set(events)];
}
