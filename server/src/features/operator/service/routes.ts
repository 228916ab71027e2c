// The service page of the dashboard, for operators.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { readiness } from '../operations/index.ts';
import { readService, type ServiceState } from './read-service.ts';
import { STAGE_NAMES } from './stages.ts';

const bytes = () => Type.Number({ description: 'bytes' });

const serviceReply = Type.Object({
  at: timestamp(),
  readiness,
  processes: Type.Array(
    Type.Object({
      id: Type.String(),
      role: oneOfWords(['all', 'api', 'worker']),
      version: Type.String(),
      host: Type.String(),
      pid: Type.Integer(),
      started_at: timestamp(),
      seen_at: timestamp(),
      is_alive: Type.Boolean({ description: 'false: it has missed three reports' }),
      disk: Type.Unsafe<{ total_bytes: number; free_bytes: number } | null>({
        ...Type.Object({ total_bytes: bytes(), free_bytes: bytes() }),
        type: ['object', 'null'],
        description: 'the disk with the data folder',
      }),
    }),
  ),
  stages: Type.Array(
    Type.Object({
      name: oneOfWords(STAGE_NAMES),
      provider: nullable(Type.String({ description: 'of the stage sync' })),
      waiting: Type.Integer(),
      oldest_at: nullable(timestamp()),
      parked: Type.Integer({ description: 'sync tasks that failed permanently' }),
      is_late: Type.Boolean(),
      command: nullable(Type.String({ description: 'arguments of the command line, to see details' })),
    }),
  ),
  jobs_given_up: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer(), since: timestamp() })),
  database: Type.Object({ bytes: bytes(), version: Type.String() }),
  keys: Type.Object({
    master: Type.Array(
      Type.Object({
        fingerprint: Type.String(),
        created_at: timestamp(),
        seen_at: nullable(timestamp()),
        is_in_use: Type.Boolean(),
      }),
    ),
    signing_key_created_at: nullable(timestamp()),
  }),
});

export const serviceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/service',
    operationId: 'readService',
    tag: 'Service',
    summary: 'Read the state of the deployment: readiness, processes, waiting work, sizes and keys; no health data',
    access: { to: 'member', role: 'operator' },
    healthDataOf: 'nobody',
    replies: { 200: serviceReply },
    present: (state: ServiceState) => ({
      status: 200,
      body: presentService(state),
      headers: { 'cache-control': 'no-store' },
    }),
    errors: [],
    handle: ({ services }) => readService(services),
  }),
];

function presentService({ now, readiness: ready, processes, stages, givenUp, database, keys }: ServiceState) {
  return {
    at: formatInstant(now),
    readiness: ready,
    processes: processes.map(({ startedAt, seenAt, isAlive, disk, ...process }) => ({
      ...process,
      started_at: formatInstant(startedAt),
      seen_at: formatInstant(seenAt),
      is_alive: isAlive,
      disk: disk && { total_bytes: disk.totalBytes, free_bytes: disk.freeBytes },
    })),
    stages: stages.map(({ oldestAt, isLate, ...stage }) => ({
      ...stage,
      oldest_at: formatNullableInstant(oldestAt),
      is_late: isLate,
    })),
    jobs_given_up: givenUp.map(({ name, count, since }) => ({ name, count, since: formatInstant(since) })),
    database,
    keys: {
      master: keys.masters.map(({ fingerprint, createdAt, seenAt, isInUse }) => ({
        fingerprint,
        created_at: formatInstant(createdAt),
        seen_at: formatNullableInstant(seenAt),
        is_in_use: isInUse,
      })),
      signing_key_created_at: formatNullableInstant(keys.signingKeyCreatedAt),
    },
  };
}
