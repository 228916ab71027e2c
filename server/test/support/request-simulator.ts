// Reads the token of a connected account, and checks whether its provider still accepts it.

import assert from 'node:assert/strict';
import type { EpochMs } from '../../src/domain/records/records.ts';
import type { DeviceId, UserId } from '../../src/domain/tenancy.ts';
import { createZone } from '../../src/domain/time/day.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import { callProvider, failureOf, openAccount } from '../../src/features/clouds/provider-accounts/index.ts';
import { listAppsById } from '../../src/features/clouds/provider-apps/index.ts';
import type { Services } from '../../src/platform/services.ts';
import { SIMULATED_ZONE } from './simulated-connection.ts';

type TokenProbe = () => Promise<'taken' | 'refused' | 'else'>;

/** Sends requests with the account's current token, even after the account is gone. */
export async function holdToken(
  services: Services,
  provider: string,
  { userId, deviceId }: { readonly userId: string; readonly deviceId: string },
): Promise<TokenProbe> {
  const app = (await listAppsById(services, provider, 'sandbox'))[0] ?? assert.fail(`no application at ${provider}`);
  const opened = await openAccount(services, app, { userId: userId as UserId, deviceId: deviceId as DeviceId });
  if (!('account' in opened)) return assert.fail(JSON.stringify(opened));
  const { account } = opened;
  const { resources, backfill } = app.provider;
  const [resource] = resources;
  return async () => {
    const to = services.clock.now().getTime() as EpochMs;
    const { date } = createZone(SIMULATED_ZONE).dayAt(to);
    const window = { from: (to - HOUR_MS) as EpochMs, to, fromDate: date, toDate: date };
    const request = resource?.request(window, null, account) ?? backfill?.request(backfill.kinds[0] ?? '', window);
    const answer = await callProvider(services, app, request ?? assert.fail(), account.accessToken);
    if ('failed' in answer) return 'else';
    const failure = resource?.readFailure?.(answer) ?? failureOf(answer);
    if (failure === 'unauthorized') return 'refused';
    return failure === null || answer.status === 409 ? 'taken' : 'else';
  };
}
