// Daily housekeeping of tokens and signing keys.

import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeExpiredMobileTokens } from './store.ts';

const KEPT_AFTER_EXPIRY_MS = 86_400_000; // a late try is still told "expired", not "unknown"

export const removeExpiredTokensJob = defineJob({
  name: 'remove_expired_tokens',
  payload: Type.Object({}),
  cron: '17 3 * * *',
  run: (services) =>
    removeExpiredMobileTokens(services.db, new Date(services.clock.now().getTime() - KEPT_AFTER_EXPIRY_MS)),
});

export const rotateSigningKeysJob = defineJob({
  name: 'rotate_signing_keys',
  payload: Type.Object({}),
  cron: '47 3 * * *',
  run: (services) => services.signer.rotate(),
});
