// Changes the settings of an account in one transaction, with one audit entry that says what changed.
import type { AccountId, BillingStatus, Environment, Form } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { JobRef } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Services } from '../../../platform/services.ts';
import type { Actor } from './actor.ts';
import { insertAudit } from './audit-store.ts';
import { type BrandingChange, checkBranding, storeBranding } from './branding.ts';
import { readStoredBranding } from './branding-store.ts';
import { changeCredentials, checkAccountName, getAccountOrThrow } from './manage-accounts.ts';
import { checkSchemes, type SchemesChange } from './redirect-schemes.ts';
import {
  type Account,
  lockAccount,
  readAccount,
  readEnvironmentUsage,
  renameAccount,
  setKeepsRoutes,
  setLogo,
  setRedirectSchemes,
  setUserLimit,
  updateAccount,
} from './store.ts';

/** Undefined: unchanged. */
export type AccountChange = {
  readonly name?: string | undefined;
  readonly billing?: BillingStatus | undefined;
  readonly defaultForm?: Form | undefined;
  /** Of a logo elsewhere; null removes it. */
  readonly logoUrl?: string | null | undefined;
  readonly schemes?: SchemesChange | undefined;
  readonly branding?: BrandingChange | undefined;
  readonly keepsRoutes?: boolean | undefined;
  readonly userLimit?: { readonly environment: Environment; readonly limit: number | null } | undefined;
};

type Settings = Readonly<Record<string, unknown>>;

/** The job is defined by the feature that reaches routes and raw payloads. */
export const removeRoutesRef: JobRef<{ account_id: string }> = {
  name: 'remove_routes',
  payload: Type.Object({ account_id: Type.String() }),
  maxAttempts: 10_000, // positions are deleted, however long it takes
};

/** `name` is the name or the id of the account. Takes effect at once in this process and within a second in others. */
export async function changeAccount(
  services: Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'jobs'>,
  name: string,
  change: AccountChange,
  by: Actor,
): Promise<Account> {
  const { id } = await getAccountOrThrow(services, name);
  const now = services.clock.now();
  const store = prepare(change, now);
  try {
    return await changeCredentials(services, async (tx) => {
      await lockAccount(tx, id);
      const before = await readSettings(tx, id, change);
      await store(tx, before.account);
      if (change.keepsRoutes === false && before.account.keepsRoutes)
        await services.jobs.enqueue(tx, removeRoutesRef, { account_id: id }, { coalesceBy: id });
      const after = await readSettings(tx, id, change);
      const details = describeChange(before.settings, after.settings);
      const names = Object.keys(details.after);
      const action = names.join() === 'name' ? 'account.renamed' : 'account.changed';
      if (names.length > 0)
        await insertAudit(tx, { accountId: id, environment: null, at: now, actor: by, action, subject: id, details });
      return after.account;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_name_key'))
      throw new AppError('name_taken', { details: { name: change.name } });
    throw error;
  }
}

/** Checks everything that needs no database. */
function prepare(change: AccountChange, now: Date): (tx: Transaction, account: Account) => Promise<void> {
  const { name, billing, defaultForm, schemes, userLimit } = change;
  if (name !== undefined) checkAccountName(name);
  const branding = change.branding && checkBranding(change.branding);
  const logoUrl = typeof change.logoUrl === 'string' ? readLogoUrl(change.logoUrl) : change.logoUrl;
  return async (tx, { id, redirectSchemes }) => {
    if (name !== undefined) await renameAccount(tx, id, name);
    await updateAccount(tx, id, { billing, defaultForm });
    if (logoUrl !== undefined) await setLogo(tx, id, logoUrl);
    if (branding) await storeBranding(tx, id, branding, now);
    if (change.keepsRoutes !== undefined) await setKeepsRoutes(tx, id, change.keepsRoutes);
    if (schemes) await setRedirectSchemes(tx, id, checkSchemes(schemes(redirectSchemes)));
    if (userLimit) await setUserLimit(tx, { accountId: id, environment: userLimit.environment }, userLimit.limit);
  };
}

async function readSettings(
  tx: Transaction,
  id: AccountId,
  { userLimit, branding }: AccountChange,
): Promise<{ readonly account: Account; readonly settings: Settings }> {
  const account = await readAccount(tx, id);
  const stored = await readStoredBranding(tx, id);
  if (account === null || stored === null) throw notFound('Account', { account: id });
  const usage = userLimit && (await readEnvironmentUsage(tx, { accountId: id, environment: userLimit.environment }));
  const settings = {
    name: account.name,
    billing_status: account.billing,
    default_form: account.defaultForm,
    redirect_schemes: account.redirectSchemes,
    keep_routes: account.keepsRoutes,
    logo: stored.logo?.hash ?? account.logoUrl,
    // Not for a renaming: without a display name the account's name is displayed.
    ...(branding &&
      Object.keys(branding).length > 0 && {
        display_name: stored.displayName,
        accent_color: stored.accentColor,
        privacy_url: stored.privacyUrl,
        support_url: stored.supportUrl,
      }),
    ...(usage && { [`user_limit_${usage.environment}`]: usage.userLimit }),
  };
  return { account, settings };
}

/** Only what differs. */
function describeChange(before: Settings, after: Settings): { readonly before: Settings; readonly after: Settings } {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (settings: Settings) => Object.fromEntries(names.map((name) => [name, settings[name]]));
  return { before: pick(before), after: pick(after) };
}

/** The user's browser fetches the logo, so it must be served over https. */
function readLogoUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  const issues = [{ path: 'logo_url', message: 'must be an https URL without a user name' }];
  throw new AppError('invalid_body', { details: { issues } });
}
