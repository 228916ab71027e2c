// Hourly: removes old sessions, expired links and old counts of failed sign-ins.
import { DAY_MS, HOUR_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeOldAttempts } from './attempt-store.ts';
import { removeExpiredLinks } from './link-store.ts';
import { removeOldSessions } from './member-session-store.ts';
import { SESSION_LIMIT_MS } from './session-token.ts';

export const tidyMembersJob = defineJob({
  name: 'tidy_members',
  payload: Type.Object({}),
  cron: '29 * * * *',
  async run({ clock, db }) {
    const now = clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    await removeOldSessions(db, before(SESSION_LIMIT_MS));
    await removeExpiredLinks(db, before(DAY_MS));
    await removeOldAttempts(db, before(HOUR_MS));
  },
});
