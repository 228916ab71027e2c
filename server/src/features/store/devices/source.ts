// The identity of an on-device source (gap G-54), its vendor and its device class. Pure.

import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import { findVendor } from '../../../domain/vendors.ts';
import type { DerivedSecrets } from '../../../platform/crypto/derived-secret.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

/** Null fields were omitted. */
export type SourceDescription = {
  readonly provider: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly model: string | null;
  readonly deviceClass: DeviceClass | null;
  readonly osVersion: string | null;
};

/** The id; without an id, the model and name; without those, the installation. */
export function identifySource({ provider, id, model, name }: SourceDescription, installationId: string): string {
  if (id !== null) return JSON.stringify([provider, 'id', id]);
  if (model !== null || name !== null) return JSON.stringify([provider, 'model', model, name]);
  return JSON.stringify([provider, 'installation', installationId]);
}

/** Each installation is a device if the source has no id, model and name. They may all be the same phone. */
export function isOfAnyInstallation(identity: string | null, provider: string): boolean {
  const [beforeInstallation = ''] = JSON.stringify([provider, 'installation', '']).split('""');
  return identity?.startsWith(beforeInstallation) ?? false; // the identity of a cloud source is not JSON
}

/** The vendor whose cloud may send the same records, from the id, name or model of the source. Null for cloud sources. */
export function vendorOfSource(
  transport: Transport,
  { identity, name, model }: { identity: string | null; name: string | null; model: string | null },
): string | null {
  if (transport !== 'sdk') return null;
  const [, kind, id] = identity?.startsWith('[') ? (JSON.parse(identity) as string[]) : []; // a hash for a deleted source
  return findVendor([kind === 'id' && id !== undefined ? id : null, name, model]);
}

/** Apple's hardware identifiers. Any other source without a class is an app that forwards data. */
const CLASS_OF_MODEL: readonly [RegExp, DeviceClass][] = [
  [/^Watch\d/, 'wrist'],
  [/^(iPhone|iPad|iPod)\d/, 'phone'],
];
const UNKNOWN_CLASS: DeviceClass = 'app';

/** Identifies a deleted source: a keyed hash, from which its name can be neither read nor guessed. */
export function barOfSource(secrets: DerivedSecrets, { userId }: Pick<UserHandle, 'userId'>, identity: string): string {
  return secrets.of(`deleted source ${userId} ${identity}`);
}

export function classOfSource({ deviceClass, model }: SourceDescription): DeviceClass {
  return deviceClass ?? CLASS_OF_MODEL.find(([pattern]) => pattern.test(model ?? ''))?.[1] ?? UNKNOWN_CLASS;
}
