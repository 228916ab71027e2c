// All SQL of provider_webhook_registrations.
import { type Queryable, statement } from '../../../platform/db/database.ts';

export type AppKey = { readonly provider: string; readonly appId: string };
type RegistrationRow = {
  readonly sealedSigningSecret: Buffer | null;
  readonly publicKeys: Readonly<Record<string, string>> | null;
  readonly webhookVersion: number;
  readonly previousWebhookUntil: Date | null;
  readonly previousSealedSigningSecret: Buffer | null;
};

const READ_REGISTRATION = statement(
  'read_provider_webhook_registrations',
  `select sealed_signing_secret as "sealedSigningSecret", public_keys as "publicKeys", webhook_version as "webhookVersion",
          previous_webhook_until as "previousWebhookUntil", previous_sealed_signing_secret as "previousSealedSigningSecret"
     from provider_webhook_registrations where provider = $1 and app_id = $2`,
);
const CLAIM_CHECK = statement(
  'claim_subscription_check',
  `insert into provider_webhook_registrations as f (provider, app_id, subscriptions_checked_at) values ($1, $2, $3)
   on conflict (provider, app_id) do update set subscriptions_checked_at = $3
     where f.subscriptions_checked_at is null or f.subscriptions_checked_at <= $4 returning 1 as claimed`,
);
const CLAIM_KEYS = statement(
  'claim_key_reading',
  `insert into provider_webhook_registrations as f (provider, app_id, keys_read_at) values ($1, $2, $3)
   on conflict (provider, app_id) do update set keys_read_at = $3
     where f.keys_read_at is null or f.keys_read_at <= $4 returning 1 as claimed`,
);

export async function readRegistration(db: Queryable, { provider, appId }: AppKey): Promise<RegistrationRow | null> {
  const [row] = await db.query<RegistrationRow>(READ_REGISTRATION, [provider, appId]);
  return row ?? null;
}

/** False: checked since then, or being checked. */
export async function claimCheck(
  db: Queryable,
  { provider, appId }: AppKey,
  now: Date,
  unlessSince: Date,
): Promise<boolean> {
  return (await db.query(CLAIM_CHECK, [provider, appId, now, unlessSince])).length > 0;
}

/** Makes the next caller check again. */
export async function forgetCheck(db: Queryable, { provider, appId }: AppKey): Promise<void> {
  await db.query(
    'update provider_webhook_registrations set subscriptions_checked_at = null where provider = $1 and app_id = $2',
    [provider, appId],
  );
}

export async function claimKeyReading(
  db: Queryable,
  { provider, appId }: AppKey,
  now: Date,
  unlessSince: Date,
): Promise<boolean> {
  return (await db.query(CLAIM_KEYS, [provider, appId, now, unlessSince])).length > 0;
}

export async function saveKeys(
  db: Queryable,
  { provider, appId }: AppKey,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  await db.query('update provider_webhook_registrations set public_keys = $3 where provider = $1 and app_id = $2', [
    provider,
    appId,
    JSON.stringify(keys),
  ]);
}

export async function saveSigningSecret(db: Queryable, { provider, appId }: AppKey, sealed: Buffer): Promise<void> {
  await db.query(
    `insert into provider_webhook_registrations (provider, app_id, sealed_signing_secret) values ($1, $2, $3)
     on conflict (provider, app_id) do update set sealed_signing_secret = $3,
       previous_sealed_signing_secret = provider_webhook_registrations.sealed_signing_secret`,
    [provider, appId, sealed],
  );
}

/** Returns the new version; the previous one is accepted until `until`. */
export async function raiseWebhookVersion(db: Queryable, { provider, appId }: AppKey, until: Date): Promise<number> {
  const [row] = await db.query<{ version: number }>(
    `insert into provider_webhook_registrations as f (provider, app_id, webhook_version, previous_webhook_until) values ($1, $2, 2, $3)
     on conflict (provider, app_id) do update set webhook_version = f.webhook_version + 1, previous_webhook_until = $3
     returning webhook_version as version`,
    [provider, appId, until],
  );
  if (!row) throw new Error('no webhook registration was stored');
  return row.version;
}

/** From now on the previous secrets are rejected. */
export async function endPreviousWebhook(db: Queryable, { provider, appId }: AppKey): Promise<void> {
  await db.query(
    `update provider_webhook_registrations set previous_webhook_until = null, previous_sealed_signing_secret = null
      where provider = $1 and app_id = $2`,
    [provider, appId],
  );
}

/** Applications whose webhook subscriptions were found or made. */
export function listRegisteredApps(db: Queryable): Promise<AppKey[]> {
  return db.query<AppKey>(
    'select provider, app_id as "appId" from provider_webhook_registrations where subscriptions_checked_at is not null',
  );
}
