// How a connection ended, as a popup reports it or as the query of the redirect says it. Pure.

/** Why an account was not connected. */
export type FailureReason = 'declined' | 'provider_error' | 'expired' | 'nothing_shared';

export type ConnectOutcome =
  | { readonly status: 'active'; readonly deviceId: string }
  | {
      readonly status: 'failed';
      readonly deviceId: string;
      readonly failureReason: FailureReason;
      /** The former name of `failureReason`. */
      readonly reason: FailureReason;
    }
  /** The person closed the popup, or a provider's page cut it off from this page. */
  | { readonly status: 'closed' }
  /** This page is being left for the connect page, by request or because the popup was blocked. */
  | { readonly status: 'redirected' };

const MESSAGE_TYPE = 'tributary.connect';
const REASONS: readonly string[] = [
  'declined',
  'provider_error',
  'expired',
  'nothing_shared',
] satisfies FailureReason[];

/** Reads the message of a popup. Null: it is not an outcome. */
export function parseReport(data: unknown): ConnectOutcome | null {
  if (typeof data !== 'object' || data === null || !('type' in data) || data.type !== MESSAGE_TYPE) return null;
  const { status, device_id, failure_reason, reason } = data as Record<string, unknown>;
  return toOutcome(status, device_id, failure_reason ?? reason); // a service of version 0.1 has only `reason`
}

/**
 * Reads the outcome from the address of your `redirect_url` page. Null: the address has none. Use it for what the page shows; your
 * backend learns the result from `GET /v1/users/{id}/devices` or the event `device.connected`.
 */
export function readOutcome(address: string | URL): ConnectOutcome | null {
  const query = new URL(address).searchParams;
  return toOutcome(query.get('status'), query.get('device_id'), query.get('failure_reason') ?? query.get('reason'));
}

function toOutcome(status: unknown, deviceId: unknown, reason: unknown): ConnectOutcome | null {
  if (typeof deviceId !== 'string' || deviceId === '') return null;
  if (status === 'active') return { status, deviceId };
  return status === 'failed' && isReason(reason) ? { status, deviceId, failureReason: reason, reason } : null;
}

function isReason(reason: unknown): reason is FailureReason {
  return typeof reason === 'string' && REASONS.includes(reason);
}
