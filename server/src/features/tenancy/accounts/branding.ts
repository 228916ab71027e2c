// The appearance of an account on hosted pages and in mails: reads and changes it.
import { createHash } from 'node:crypto';
import {
  type Branding,
  type Checked,
  checkAccentColor,
  checkDisplayName,
  checkLink,
} from '../../../domain/branding/branding.ts';
import { checkLogo, extensionOf, type LogoImage } from '../../../domain/branding/logo-image.ts';
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import {
  type BrandingValues,
  readLogo,
  readStoredBranding,
  removeLogos,
  type StoredBranding,
  saveLogo,
  updateBranding,
} from './branding-store.ts';

/** As the caller sent it. Undefined: unchanged. Null: not set. */
export type BrandingChange = BrandingValues & {
  /** A data URL. */
  readonly logo?: string | null;
};

/** Null: the account does not exist. */
export async function readBranding(
  services: Pick<Services, 'db' | 'settings'>,
  id: AccountId,
): Promise<Branding | null> {
  const stored = await readStoredBranding(services.db, id);
  return stored && withLogoUrl(services, stored);
}

/** The uploaded logo, for mails, which contain it. Null: there is none. */
export async function readLogoImage({ db }: Pick<Services, 'db'>, id: AccountId): Promise<LogoImage | null> {
  const stored = await readStoredBranding(db, id);
  return stored?.logo ? readLogo(db, stored.logo.hash) : null;
}

type CheckedBranding = { readonly values: BrandingValues; readonly logo: LogoImage | null | undefined };

export function checkBranding(change: BrandingChange): CheckedBranding {
  const values = {
    displayName: check('display_name', change.displayName, checkDisplayName),
    accentColor: check('accent_color', change.accentColor, checkAccentColor),
    privacyUrl: check('privacy_url', change.privacyUrl, (text) => checkLink(text, { mailto: false })),
    supportUrl: check('support_url', change.supportUrl, (text) => checkLink(text, { mailto: true })),
  };
  return { values, logo: check('logo', change.logo, checkLogo) };
}

export async function storeBranding(
  tx: Transaction,
  id: AccountId,
  { values, logo }: CheckedBranding,
  now: Date,
): Promise<void> {
  await updateBranding(tx, id, values);
  if (logo === null) await removeLogos(tx, id);
  else if (logo !== undefined) await saveLogo(tx, id, { ...logo, hash: hashOf(logo) }, now);
}

const HASH_CHARACTERS = 32;

function hashOf({ image }: LogoImage): string {
  return createHash('sha256').update(image).digest('hex').slice(0, HASH_CHARACTERS);
}

/** A path, so that it works under any host name of this service. */
function withLogoUrl({ settings }: Pick<Services, 'settings'>, { logo, ...branding }: StoredBranding): Branding {
  if (logo === null) return branding;
  const base = new URL(settings.publicUrl()).pathname.replace(/\/$/, '');
  return { ...branding, logoUrl: `${base}/logos/${logo.hash}.${extensionOf(logo.mediaType)}` };
}

function check<Value>(
  path: string,
  text: string | null | undefined,
  checkText: (text: string) => Checked<Value>,
): Value | null | undefined {
  if (text === undefined || text === null) return text;
  const checked = checkText(text);
  if ('value' in checked) return checked.value;
  throw new AppError('invalid_body', { details: { issues: [{ path, message: checked.problem }] } });
}
