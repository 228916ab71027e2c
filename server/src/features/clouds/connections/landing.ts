// Where a connection ends for the person: back in the app, or on a page that says what came of it.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';
import { readAsking } from './asking.ts';
import type { Attempt } from './attempt.ts';
import { writeBrowserKey } from './browser-cookie.ts';
import { connectedPage, type FailureReason, failedPage, goneLinkPage } from './connection-pages.ts';
import { redirectPerson } from './redirect-person.ts';
import { addOutcome } from './redirect-url.ts';

export type Ending =
  | { readonly status: 'active'; readonly deviceId: DeviceId }
  | { readonly status: 'failed'; readonly reason: FailureReason };

export async function land(services: Services, attempt: Attempt, ending: Ending): Promise<RawReply> {
  const cookie = { 'set-cookie': writeBrowserKey(services, attempt, '') };
  if (attempt.redirectUrl !== null) {
    const deviceId = ending.status === 'active' ? ending.deviceId : attempt.deviceId;
    return redirectPerson(addOutcome(attempt.redirectUrl, { deviceId, status: ending.status }), cookie);
  }
  const asking = await readAsking(services, attempt);
  if (asking === null) return goneLinkPage('unknown');
  return ending.status === 'active' ? connectedPage(asking, cookie) : failedPage(asking, ending.reason, cookie);
}
