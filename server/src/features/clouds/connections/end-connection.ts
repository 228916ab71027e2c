// Ends a connection for the user: redirects back to the app, or to the result page.
import { hashToken, mintToken } from '../../../platform/crypto/opaque-token.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { closeDevice } from '../../store/devices/index.ts';
import { changeUser } from '../../tenancy/user-core/index.ts';
import type { AuthorizationRequest, ConnectFailure, Ending } from './authorization-request.ts';
import { writeBrowserKey } from './browser-cookie.ts';
import { basePathOf } from './consent-request.ts';
import { addOutcome, originOf } from './redirect-url.ts';
import { recordEnding } from './store.ts';

export const RESULT_PREFIX = 'cr_';

/** The result page has its own URL, so that it can be reloaded and the provider's query leaves the address bar. */
export async function endConnection(
  services: Pick<Services, 'clock' | 'db' | 'settings' | 'userMutex'>,
  authorizationRequest: AuthorizationRequest,
  ending: Ending,
): Promise<RawReply> {
  if (ending.status === 'failed') await failConnection(services, authorizationRequest, ending.reason);
  const secret = mintToken(RESULT_PREFIX);
  await recordEnding(services.db, authorizationRequest, ending, hashToken(secret), services.clock.now());
  const cookie = { 'set-cookie': writeBrowserKey(services, authorizationRequest, '') };
  const { redirectUrl, visit } = authorizationRequest;
  const isReported = visit.isPopup && originOf(redirectUrl) !== null;
  return redirectUrl !== null && !isReported
    ? redirectUser(addOutcome(redirectUrl, ending), cookie)
    : redirectUser(`${basePathOf(services)}/connect/result/${secret}`, cookie);
}

/** Status 303, so that a posted form is never posted again (RFC 9700, 4.12). */
export function redirectUser(location: string, headers: Readonly<Record<string, string>>): RawReply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', ...headers },
  };
}

/** The device and its event report why. */
async function failConnection(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { tenant, userId, deviceId }: Pick<AuthorizationRequest, 'tenant' | 'userId' | 'deviceId'>,
  reason: ConnectFailure,
): Promise<void> {
  await changeUser(services, tenant, userId, async (tx, locked) => {
    if (!locked) return;
    const now = services.clock.now();
    if (await closeDevice(tx, locked.handle, deviceId, reason, now))
      await recordEvent(tx, locked.handle, { type: 'device.failed', deviceId, failureReason: reason }, now);
  });
}
