// Removes entries of the audit trail after their retention (TRIBUTARY_AUDIT_RETENTION_DAYS).
import { DAY_MS } from '../../../domain/time/durations.ts';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import { Type } from '../../../platform/json-schema.ts';

export const cutAuditTrailJob = defineJob({
  name: 'cut_audit_trail',
  payload: Type.Object({}),
  cron: '41 3 * * *',
  async run({ auditTrail, clock, settings }) {
    await auditTrail.cut(new Date(clock.now().getTime() - settings.auditRetentionDays * DAY_MS));
  },
});
