// The logo of an account on hosted pages, and the app schemes that users may be redirected to.

import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { isAppScheme } from './app-schemes.ts';
import { getAccountOrThrow } from './manage-accounts.ts';
import { type Account, lockAccount, readAccount, setLogo, setRedirectSchemes } from './store.ts';

const MAX_SCHEMES = 20; // one per app; accounts have few apps

export async function changeLogo(
  services: Pick<Services, 'db'>,
  name: string,
  logoUrl: string | null,
): Promise<Account> {
  const account = await getAccountOrThrow(services, name);
  const url = logoUrl === null ? null : readLogoUrl(logoUrl);
  await services.db.transaction((tx) => setLogo(tx, account.id, url));
  return { ...account, logoUrl: url };
}

export async function addRedirectScheme(services: Pick<Services, 'db'>, name: string, text: string): Promise<Account> {
  const scheme = text.replace(/:(\/\/)?$/, '').toLowerCase();
  if (!isAppScheme(scheme))
    throw invalid('scheme', 'is not an app scheme; use a scheme that only your app has, such as myapp://');
  return changeSchemes(services, name, (schemes) => [...new Set([...schemes, scheme])].sort());
}

export async function removeRedirectScheme(
  services: Pick<Services, 'db'>,
  name: string,
  scheme: string,
): Promise<Account> {
  return changeSchemes(services, name, (schemes) => schemes.filter((other) => other !== scheme.toLowerCase()));
}

async function changeSchemes(
  services: Pick<Services, 'db'>,
  name: string,
  change: (schemes: readonly string[]) => readonly string[],
): Promise<Account> {
  const { id } = await getAccountOrThrow(services, name);
  return services.db.transaction(async (tx) => {
    await lockAccount(tx, id);
    const account = await readAccount(tx, id);
    if (account === null) throw new AppError('not_found');
    const redirectSchemes = change(account.redirectSchemes);
    if (redirectSchemes.length > MAX_SCHEMES) throw invalid('scheme', `must not exceed ${MAX_SCHEMES} schemes`);
    await setRedirectSchemes(tx, id, redirectSchemes);
    return { ...account, redirectSchemes };
  });
}

/** The user's browser fetches the logo, so it must be served over https. */
function readLogoUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw invalid('logo_url', 'must be an https URL without a user name');
  return url.href;
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path, message }] } });
}
