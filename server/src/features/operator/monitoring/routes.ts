// The operator's endpoint behind `tributary doctor`.
import { formatNullableInstant } from '../../../domain/time/calendar.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';

const diagnosisReply = Type.Object({
  providers: Type.Array(
    Type.Object({
      id: Type.String(),
      is_configured: Type.Boolean({ description: "the operator's application" }),
      own_clients: Type.Integer({ description: 'accounts with an application of their own' }),
      devices: Type.Integer(),
      failing: Type.Integer({ description: 'devices whose last request failed' }),
      parked_tasks: Type.Integer(),
      unregistered_apps: Type.Integer({ description: 'applications in use without webhook subscriptions' }),
    }),
  ),
  mail: Type.Object({
    is_configured: Type.Boolean(),
    failing: Type.Integer({ description: 'mails that wait after a failure' }),
    last_error: nullable(Type.String()),
    last_failed_at: nullable(timestamp()),
  }),
  webhooks: Type.Array(
    Type.Object({
      id: Type.String(),
      account: Type.String(),
      environment: Type.String(),
      host: Type.String(),
      disabled_reason: nullable(Type.String()),
      failing_since: nullable(timestamp()),
    }),
    { description: 'at most 20 that are disabled after failures or have failed for an hour' },
  ),
  master_keys: Type.Integer({ description: 'more than 1: a rotation is not finished' }),
  master_key_problem: nullable(Type.String({ description: 'why the next start would be refused' })),
  database: Type.Object({
    bytes: Type.Number(),
    bytes_per_day: nullable(Type.Number({ description: 'growth over at most 30 days; null: not known yet' })),
  }),
});

export const monitoringRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/diagnosis',
    operationId: 'adminDiagnose',
    tag: 'Operator',
    summary: 'Read what "tributary doctor" judges: providers, mail, webhooks, master keys, growth of the database',
    access: { to: 'operator' },
    healthDataOf: 'nobody',
    replies: { 200: diagnosisReply },
    present: (diagnosis: Diagnosis) => ({ status: 200, body: presentDiagnosis(diagnosis) }),
    handle: ({ services }) => diagnose(services),
  }),
];

function presentDiagnosis({ providers, mail, webhooks, masterKeys, masterKeyProblem, database }: Diagnosis) {
  return {
    providers: providers.map(({ id, isConfigured, ownClients, devices, failing, parkedTasks, unregisteredApps }) => ({
      id,
      is_configured: isConfigured,
      own_clients: ownClients,
      devices,
      failing,
      parked_tasks: parkedTasks,
      unregistered_apps: unregisteredApps,
    })),
    mail: {
      is_configured: mail.isConfigured,
      failing: mail.failing,
      last_error: mail.lastError,
      last_failed_at: formatNullableInstant(mail.lastFailedAt),
    },
    webhooks: webhooks.map(({ id, account, environment, url, disabledReason, failingSince }) => ({
      id,
      account,
      environment,
      host: new URL(url).host, // the path can contain a secret of the receiver
      disabled_reason: disabledReason,
      failing_since: formatNullableInstant(failingSince),
    })),
    master_keys: masterKeys,
    master_key_problem: masterKeyProblem,
    database: { bytes: database.bytes, bytes_per_day: database.bytesPerDay },
  };
}
