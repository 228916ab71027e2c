// All SQL of account_logos, and of the appearance columns of accounts.

import type { Branding } from '../../../domain/branding/branding.ts';
import type { LogoImage, LogoType } from '../../../domain/branding/logo-image.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';

export type StoredBranding = Branding & {
  readonly logo: { readonly hash: string; readonly mediaType: LogoType } | null;
};

type BrandingRow = {
  display_name: string;
  logo_url: string | null;
  accent_color: string | null;
  privacy_url: string | null;
  support_url: string | null;
  logo_hash: string | null;
  logo_type: LogoType | null;
};

const READ_BRANDING = statement(
  'read_branding',
  `select coalesce(a.display_name, a.name) as display_name, a.logo_url, a.accent_color, a.privacy_url, a.support_url,
     l.hash as logo_hash, l.media_type as logo_type
     from accounts a left join account_logos l on l.account_id = a.id where a.id = $1`,
);

export async function readStoredBranding(db: Queryable, id: AccountId): Promise<StoredBranding | null> {
  const [row] = await db.query<BrandingRow>(READ_BRANDING, [id]);
  if (!row) return null;
  const { logo_hash: hash, logo_type: mediaType } = row;
  return {
    displayName: row.display_name,
    logoUrl: row.logo_url,
    accentColor: row.accent_color,
    privacyUrl: row.privacy_url,
    supportUrl: row.support_url,
    logo: hash === null || mediaType === null ? null : { hash, mediaType },
  };
}

/** Undefined: unchanged. Null: not set. */
export type BrandingValues = {
  readonly displayName?: string | null | undefined;
  readonly accentColor?: string | null | undefined;
  readonly privacyUrl?: string | null | undefined;
  readonly supportUrl?: string | null | undefined;
};

const COLUMNS: Readonly<Record<keyof BrandingValues, string>> = {
  displayName: 'display_name',
  accentColor: 'accent_color',
  privacyUrl: 'privacy_url',
  supportUrl: 'support_url',
};

export async function updateBranding(tx: Transaction, id: AccountId, values: BrandingValues): Promise<void> {
  const changes = Object.entries(values).filter(([, value]) => value !== undefined);
  if (changes.length === 0) return;
  const columns = changes.map(([name], index) => `${COLUMNS[name as keyof BrandingValues]} = $${index + 2}`);
  await tx.query(`update accounts set ${columns.join(', ')} where id = $1`, [id, ...changes.map(([, value]) => value)]);
}

export async function saveLogo(
  tx: Transaction,
  id: AccountId,
  { mediaType, image, hash }: LogoImage & { readonly hash: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into account_logos (account_id, hash, media_type, image, changed_at) values ($1, $2, $3, $4, $5)
     on conflict (account_id) do update set hash = $2, media_type = $3, image = $4, changed_at = $5`,
    [id, hash, mediaType, Buffer.from(image), now],
  );
}

/** Removes the uploaded logo and the URL of a logo elsewhere. */
export async function removeLogos(tx: Transaction, id: AccountId): Promise<void> {
  await tx.query('delete from account_logos where account_id = $1', [id]);
  await tx.query('update accounts set logo_url = null where id = $1', [id]);
}

export async function readLogo(db: Queryable, hash: string): Promise<LogoImage | null> {
  const [row] = await db.query<{ media_type: LogoType; image: Buffer }>(
    'select media_type, image from account_logos where hash = $1 limit 1',
    [hash],
  );
  return row ? { mediaType: row.media_type, image: row.image } : null;
}
