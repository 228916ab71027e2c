// Common fields of Dexcom's records. The phone app writes both times with an offset.
import type { AccountView } from '../account-view.ts';
import { nameHex, nameUuid } from '../names.ts';
import { writeLocalTime } from '../write-time.ts';

/** `ms` is not part of the answer. */
export type DexcomRecord = { readonly ms: number } & Readonly<Record<string, unknown>>;

export function makeRecord(view: AccountView, kind: string, ms: number, fields: object): DexcomRecord {
  const { seed } = view.account;
  return {
    ms,
    recordId: nameUuid('dexcom', seed, kind, String(ms)),
    ...writeTimes(view, ms),
    transmitterId: nameHex(64, 'dexcom', seed, 'transmitter'),
    ...fields,
    displayDevice: 'iOS',
    transmitterGeneration: 'g7',
    displayApp: 'G7',
  };
}

export function writeTimes({ account }: AccountView, ms: number) {
  return {
    systemTime: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    displayTime: writeLocalTime(account.zone, ms).replace('.000', ''),
  };
}
