// Checks the envelope of an upload. A problem here rejects the whole upload with 400 and lists every issue.

import { DEVICE_CLASSES } from '../../../domain/metrics/index.ts';
import { MAX_TEXT_LENGTH, MAX_WORD_LENGTH } from '../../../domain/metrics/record-limits.ts';
import { isTimeZoneName } from '../../../domain/time/calendar.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import type { SourceDescription } from '../../store/devices/index.ts';
import { type Fields, type Item, isFields, readChoice, readText, required } from './item.ts';
import { cleanName } from './reject.ts';
import { SOURCE_FIELDS, UPLOAD_FIELDS } from './schemas.ts';

export const UPLOAD_LISTS = ['samples', 'daily', 'sleep', 'workouts', 'deleted'] as const;
export type UploadList = (typeof UPLOAD_LISTS)[number];
type Lists = Readonly<Record<UploadList, readonly unknown[]>>;

type Envelope = {
  readonly uploadId: string;
  readonly source: SourceDescription;
  readonly timezone: string | null;
  readonly lists: Lists;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_UNKNOWN_NAMED = 20;
const NOTHING: readonly unknown[] = [];

export function parseEnvelope(json: unknown, sources: readonly string[]): Envelope {
  if (!isFields(json)) throw invalidBody([{ path: '', message: 'must be an object' }]);
  const issues = findUnknown(json, UPLOAD_FIELDS, '');
  const uploadId = json.upload_id;
  if (typeof uploadId !== 'string' || !UUID.test(uploadId))
    issues.push({ path: 'upload_id', message: uploadId === undefined ? 'is required' : 'must be a UUID' });
  const source = parseSource(json.source, sources, issues);
  const timezone = parseTimezone(json.timezone, issues);
  for (const name of UPLOAD_LISTS) {
    const list = json[name];
    if (list !== undefined && !Array.isArray(list)) issues.push({ path: name, message: 'must be an array' });
  }
  if (issues.length > 0 || source === null) throw invalidBody(issues);
  const listOf = (name: keyof Lists) => (json[name] ?? NOTHING) as readonly unknown[];
  return {
    uploadId: String(uploadId).toLowerCase(),
    source,
    timezone,
    lists: {
      samples: listOf('samples'),
      daily: listOf('daily'),
      sleep: listOf('sleep'),
      workouts: listOf('workouts'),
      deleted: listOf('deleted'),
    },
  };
}

export function countItems(lists: Lists): Record<UploadList, number> {
  const counts = UPLOAD_LISTS.map((name) => [name, lists[name].length]);
  return Object.fromEntries(counts) as Record<UploadList, number>;
}

function parseSource(value: unknown, sources: readonly string[], issues: Issue[]): SourceDescription | null {
  if (!isFields(value)) {
    issues.push({ path: 'source', message: value === undefined ? 'is required' : 'must be an object' });
    return null;
  }
  issues.push(...findUnknown(value, SOURCE_FIELDS, 'source.'));
  const read = <Field>(reader: (item: Item) => Field | null): Field | null => {
    const item: Item = { fields: value, fault: null };
    const field = reader(item);
    if (item.fault !== null) issues.push({ path: `source.${item.fault.field}`, message: item.fault.message });
    return field;
  };
  const provider = read((item) => required(item, 'provider', readChoice(item, 'provider', sources)));
  const source = {
    id: read((item) => readText(item, 'id', MAX_TEXT_LENGTH)),
    name: read((item) => readText(item, 'name', MAX_TEXT_LENGTH)),
    model: read((item) => readText(item, 'model', MAX_TEXT_LENGTH)),
    deviceClass: read((item) => readChoice(item, 'device_class', DEVICE_CLASSES)),
    osVersion: read((item) => readText(item, 'os_version', MAX_WORD_LENGTH)),
  };
  return provider === null ? null : { provider, ...source };
}

function parseTimezone(value: unknown, issues: Issue[]): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && value.length <= MAX_TEXT_LENGTH && isTimeZoneName(value)) return value;
  issues.push({ path: 'timezone', message: 'must be an IANA time zone name such as Europe/Berlin' });
  return null;
}

function findUnknown(fields: Fields, known: ReadonlySet<string>, prefix: string): Issue[] {
  const issues: Issue[] = [];
  for (const name in fields) {
    if (known.has(name)) continue;
    if (issues.length === MAX_UNKNOWN_NAMED) break;
    issues.push({ path: `${prefix}${cleanName(name)}`, message: 'unknown field' });
  }
  return issues;
}

function invalidBody(issues: readonly Issue[]): AppError {
  return new AppError('invalid_body', { details: { issues } });
}
