// A notice becomes errands of every account that it is about.
import type { Transaction } from '../../../../platform/db/database.ts';
import type { Services } from '../../../../platform/services.ts';
import { pack } from '../../../../platform/zstd.ts';
import type { Notice } from '../../../../providers/contract.ts';
import { openUser } from '../../../tenancy/user-core/index.ts';
import { type ConnectedAccount, listAccountsOfPerson } from '../../provider-accounts/index.ts';
import type { ProviderApp } from '../../provider-apps/index.ts';
import { type NewErrand, URGENCY } from '../errand.ts';
import type { SharingChange } from '../fetch/follow-sharing.ts';
import { readSyncedDevice } from '../schedule/store.ts';
import { addErrands } from '../store.ts';
import { type Planned, planNotice } from './plan-notice.ts';

export type TakenNotice = {
  /** Of how many accounts it is; 0: nobody here knows the person. */
  readonly accounts: number;
  /** Whose grant the person has ended at the provider. */
  readonly ended: readonly ConnectedAccount[];
  readonly sharing: readonly SharingChange[];
};

export async function takeNotice(
  services: Services,
  tx: Transaction,
  app: ProviderApp,
  notice: Notice,
): Promise<TakenNotice> {
  const who = { provider: app.provider.id, appId: app.id, providerUserId: notice.providerUserId };
  const accounts = await listAccountsOfPerson(tx, who);
  const ended: ConnectedAccount[] = [];
  const sharing: SharingChange[] = [];
  for (const account of accounts) {
    const planned = await planFor(services, tx, app, notice, account);
    if (planned.some((one) => 'ended' in one)) ended.push(account);
    for (const one of planned) if ('sharesAnything' in one) sharing.push({ account, provider: app.provider, ...one });
    await addErrands(tx, account, await toErrands(planned), services.clock.now());
  }
  return { accounts: accounts.length, ended, sharing };
}

async function planFor(
  services: Services,
  tx: Transaction,
  app: ProviderApp,
  notice: Notice,
  account: ConnectedAccount,
): Promise<Planned[]> {
  const device = await readSyncedDevice(tx, account);
  const user = await openUser(tx, account.tenant, account.userId);
  if (device === null || user === null) return [];
  const sharing = { scopes: account.scopes, leftOut: device.leftOut };
  const { backfillDays: historyDays } = services.settings;
  return planNotice(app.provider, notice, { sharing, zone: user.timezone, now: services.clock.now(), historyDays });
}

async function toErrands(planned: readonly Planned[]): Promise<NewErrand[]> {
  const errands: NewErrand[] = [];
  for (const one of planned) {
    if ('errand' in one) errands.push(one.errand);
    if (!('pushed' in one)) continue;
    const { resource, body } = one.pushed;
    const packed = await pack(body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body)));
    errands.push({ task: { kind: 'pushed', resource, packed }, urgency: URGENCY.notice, sameness: null });
  }
  return errands;
}
