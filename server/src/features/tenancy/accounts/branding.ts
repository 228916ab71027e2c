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
import { AppError, notFound } from '../../../platform/errors.ts';
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

export async function changeBranding(
  services: Pick<Services, 'clock' | 'db' | 'settings'>,
  id: AccountId,
  change: BrandingChange,
): Promise<Branding> {
  const values = {
    displayName: check('display_name', change.displayName, checkDisplayName),
    accentColor: check('accent_color', change.accentColor, checkAccentColor),
    privacyUrl: check('privacy_url', change.privacyUrl, (text) => checkLink(text, { mailto: false })),
    supportUrl: check('support_url', change.supportUrl, (text) => checkLink(text, { mailto: true })),
  };
  const logo = check('logo', change.logo, checkLogo);
  const changed = await services.db.transaction(async (tx) => {
    await updateBranding(tx, id, values);
    if (logo === null) await removeLogos(tx, id);
    else if (logo !== undefined) await saveLogo(tx, id, { ...logo, hash: hashOf(logo) }, services.clock.now());
    return readStoredBranding(tx, id);
  });
  if (changed === null) throw notFound('Account', { account: id });
  return withLogoUrl(services, changed);
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
