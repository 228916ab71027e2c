// What makes an on-device source the same one again (gap G-54), and what is known of it beside. Pure.

import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import { findVendor } from '../../../domain/vendors.ts';
import type { DerivedSecrets } from '../../../platform/crypto/derived-secret.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** Null: not said. */
export type SourceDescription = {
  readonly provider: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly model: string | null;
  readonly deviceClass: DeviceClass | null;
  readonly osVersion: string | null;
};

/** Its id; without one its model and name; without those the installation that sent it. */
export function identifySource({ provider, id, model, name }: SourceDescription, installationId: string): string {
  if (id !== null) return JSON.stringify([provider, 'id', id]);
  if (model !== null || name !== null) return JSON.stringify([provider, 'model', model, name]);
  return JSON.stringify([provider, 'installation', installationId]);
}

/** Of a source that says nothing of itself, each installation of the app is a device. They may all be one phone. */
export function isOfAnyInstallation(identity: string | null, provider: string): boolean {
  const [beforeInstallation = ''] = JSON.stringify([provider, 'installation', '']).split('""');
  return identity?.startsWith(beforeInstallation) ?? false; // a cloud's identity is no JSON
}

/** Whose cloud may send the same records: a phone's source says it by its id, name or model. Null for the clouds themselves. */
export function vendorOfSource(
  transport: Transport,
  { identity, name, model }: { identity: string | null; name: string | null; model: string | null },
): string | null {
  if (transport !== 'sdk') return null;
  const [, kind, id] = identity?.startsWith('[') ? (JSON.parse(identity) as string[]) : []; // of a deleted source it is a hash
  return findVendor([kind === 'id' && id !== undefined ? id : null, name, model]);
}

/** Apple writes its hardware so; anything else that does not say its class is an app that passes data on. */
const CLASS_OF_MODEL: readonly [RegExp, DeviceClass][] = [
  [/^Watch\d/, 'wrist'],
  [/^(iPhone|iPad|iPod)\d/, 'phone'],
];
const UNKNOWN_CLASS: DeviceClass = 'app';

/** What a deleted source is recognized by: a hash under a key of the deployment, from which its name cannot be read or guessed. */
export function barOfSource(secrets: DerivedSecrets, { userId }: Pick<UserHandle, 'userId'>, identity: string): string {
  return secrets.of(`deleted source ${userId} ${identity}`);
}

export function classOfSource({ deviceClass, model }: SourceDescription): DeviceClass {
  return deviceClass ?? CLASS_OF_MODEL.find(([pattern]) => pattern.test(model ?? ''))?.[1] ?? UNKNOWN_CLASS;
}
