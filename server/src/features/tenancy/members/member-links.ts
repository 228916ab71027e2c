// One-time links to the dashboard: welcome (the first owner of an account), join (an invitation) and reset (a new password).
// The secret is in the fragment of the URL, which browsers send to no server.

import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { insertLink, type LinkKind, type LinkTarget, type MemberLink, readLink } from './link-store.ts';
import { isWellFormedSecret, mintSecret } from './session-token.ts';

const LIFETIMES_MS: Readonly<Record<LinkKind, number>> = { welcome: 7 * DAY_MS, join: 7 * DAY_MS, reset: HOUR_MS };

export type NewLink = { readonly id: string; readonly url: string; readonly expiresAt: Date };

/** `createdBy`: a name, for the list of invitations. */
export async function createLink(
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  tx: Transaction,
  target: LinkTarget,
  createdBy: string,
): Promise<NewLink> {
  const [id, secret, createdAt] = [newId<string>(), mintSecret(), clock.now()];
  const expiresAt = new Date(createdAt.getTime() + LIFETIMES_MS[target.kind]);
  await insertLink(tx, { id, secretHash: hashToken(secret), target, createdBy, createdAt, expiresAt });
  return { id, url: `${settings.publicUrl()}/dashboard/${target.kind}#${secret}`, expiresAt };
}

/** Throws link_invalid if the link is unknown, used or expired. */
export async function getLinkOrThrow<Kind extends LinkKind>(
  { clock, db }: Pick<Services, 'clock' | 'db'>,
  secret: string,
  kind: Kind,
): Promise<MemberLink & { readonly kind: Kind }> {
  const link = isWellFormedSecret(secret) ? await readLink(db, hashToken(secret), kind, clock.now()) : null;
  if (link === null) throw new AppError('link_invalid');
  return link as MemberLink & { readonly kind: Kind };
}
