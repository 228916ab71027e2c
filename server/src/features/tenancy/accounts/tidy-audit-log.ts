// Removes entries of the audit log after their retention (TRIBUTARY_AUDIT_LOG_RETENTION_DAYS).
import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';
import { removeAuditBefore } from './audit-store.ts';

const BATCH_ROWS = 1_000;

export const tidyAuditLogJob = defineJob({
  name: 'tidy_audit_log',
  payload: Type.Object({}),
  cron: '51 3 * * *',
  async run({ db, clock, settings }) {
    const before = new Date(clock.now().getTime() - settings.auditLogRetentionDays * DAY_MS);
    while ((await removeAuditBefore(db, before, BATCH_ROWS)) === BATCH_ROWS);
  },
});
