// Daily jobs: remove expired tokens and rotate signing keys.

import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeExpiredMobileTokens } from './store.ts';

const KEPT_AFTER_EXPIRY_MS = DAY_MS; // a late request gets `token_expired` instead of `invalid_token`
const BATCH_ROWS = 1_000;

export const removeExpiredTokensJob = defineJob({
  name: 'remove_expired_tokens',
  payload: Type.Object({}),
  cron: '17 3 * * *',
  async run({ clock, db }) {
    const before = new Date(clock.now().getTime() - KEPT_AFTER_EXPIRY_MS);
    while ((await removeExpiredMobileTokens(db, before, BATCH_ROWS)) === BATCH_ROWS);
  },
});

export const rotateSigningKeysJob = defineJob({
  name: 'rotate_signing_keys',
  payload: Type.Object({}),
  cron: '47 3 * * *',
  run: (services) => services.signer.rotate(),
});
