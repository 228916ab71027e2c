// Builds the HTTP request of a delivery, for the dispatcher and for `tributary listen`.
import type { KeyObject } from 'node:crypto';
import type { OutboundContent } from '../../../platform/outbound/index.ts';
import { signMessage } from './signature.ts';

export const DELIVERY_TIMEOUT_MS = 15_000; // a receiver that needs longer should acknowledge first and work later
const MAX_RESPONSE_BYTES = 262_144; // only the first bytes are kept, but an error page of a framework must not count as a failure

export function writeDeliveryRequest(
  keys: readonly KeyObject[],
  message: { readonly id: string; readonly at: Date; readonly body: string },
  { version, timeoutMs }: { readonly version: string; readonly timeoutMs: number },
): OutboundContent {
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': `Tributary/${version}`,
      ...signMessage(keys, message),
    },
    body: message.body,
    timeoutMs,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  };
}
