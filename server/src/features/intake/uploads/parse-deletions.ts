// Parses deletions: samples of a metric within a closed interval, a sleep, or a workout.
import type { Scope } from '../../../domain/metrics/categories.ts';
import { MAX_TEXT_LENGTH } from '../../../domain/metrics/record-limits.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import { parseInstant } from '../../../domain/time/parse-instant.ts';
import type { Deletion } from '../../pipeline/ingest/index.ts';
import { BAD_TIMESTAMP, fail, type Item, readChoice, readText, required } from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { sessionKey } from './read-session.ts';
import { DELETION_FIELDS, DELETION_KINDS } from './schemas.ts';
import { MAX_DELETIONS, MAX_SESSIONS } from './upload-limits.ts';
import { readMetric } from './upload-metrics.ts';

const SAMPLES_ONLY = ['metric', 'start', 'end'] as const;
const SCOPE_OF = { sleep: 'sleep', workout: 'activity' } as const;

export function deletionKind(scopes: readonly Scope[]): ItemKind<Deletion> {
  const left = { sleep: MAX_SESSIONS, workout: MAX_SESSIONS };
  return {
    list: 'deleted',
    known: DELETION_FIELDS,
    maxItems: MAX_DELETIONS,
    parse(item) {
      const kind = required(item, 'kind', readChoice(item, 'kind', DELETION_KINDS));
      if (kind === null) return null;
      if (kind === 'samples') return readInterval(item, scopes);
      const deletion = readKey(item, kind, scopes);
      if (deletion === null) return null;
      if (left[kind] === 0)
        return fail(item, '', 'over_limit', `an upload may delete at most ${MAX_SESSIONS} of these`);
      left[kind] -= 1;
      return deletion;
    },
  };
}

function readInterval(item: Item, scopes: readonly Scope[]): Deletion | null {
  if (item.fields.id !== undefined) return fail(item, 'id', 'unknown_field', 'samples have no id');
  const metric = readMetric(item, scopes);
  if (metric === null) return null;
  const start = required(item, 'start', readBound(item, 'start'));
  const end = required(item, 'end', readBound(item, 'end'));
  if (start === null || end === null) return null;
  if (end < start) return fail(item, 'end', 'end_before_start', 'must not be before the start');
  return { kind: 'samples', metric: metric.id, start, end };
}

/** Any time is accepted, so that a client can delete everything with a wide interval. */
function readBound(item: Item, field: 'start' | 'end'): EpochMs | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') return fail(item, field, 'invalid_type', 'must be a string');
  const time = parseInstant(value);
  return Number.isNaN(time) ? fail(item, field, 'invalid_timestamp', BAD_TIMESTAMP) : (time as EpochMs);
}

function readKey(item: Item, kind: 'sleep' | 'workout', scopes: readonly Scope[]): Deletion | null {
  const foreign = SAMPLES_ONLY.find((field) => item.fields[field] !== undefined);
  if (foreign !== undefined)
    return fail(item, foreign, 'unknown_field', `not allowed here; a ${kind} is deleted by its id`);
  if (!scopes.includes(SCOPE_OF[kind]))
    return fail(item, 'kind', 'out_of_scope', `the session has no scope ${SCOPE_OF[kind]}`);
  const key = required(item, 'id', readText(item, 'id', MAX_TEXT_LENGTH));
  return key === null ? null : { kind, key: sessionKey(key) };
}
