// The query of an export. Pure.

import { findMetric, type MetricId } from '../../../domain/metrics/index.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/time/calendar.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { parseIdList } from '../shared/index.ts';
import { EXPORT_RESOURCES, type ExportResource } from './records.ts';

export const FORMATS = ['ndjson', 'csv', 'parquet', 'fhir', 'omh', 'bundle'] as const;
export type Format = (typeof FORMATS)[number];

/** Formats with one table per file. */
const TABLE_FORMATS: readonly Format[] = ['csv', 'parquet'];

export type ExportQuery = {
  readonly userId: string;
  readonly format: Format;
  /** Null: from the first, or to the last day with data. */
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
  /** In the order of the file. */
  readonly resources: readonly ExportResource[];
  /** Null: all. */
  readonly metrics: ReadonlySet<MetricId> | null;
};

const date = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

export const exportQuery = requestObject({
  format: oneOfWords(FORMATS, {
    description:
      'ndjson; csv or parquet: one table, so name one resource; fhir: FHIR R4 resources; omh: Open mHealth and IEEE 1752.1 data points; bundle: everything that another deployment would need to return the same reads, per device',
  }),
  resources: Type.Optional(
    Type.String({
      description: `separated by commas, default all: ${EXPORT_RESOURCES.join(', ')}. Not with format=bundle`,
    }),
  ),
  metrics: Type.Optional(
    Type.String({ description: 'metric IDs, separated by commas; limits daily and samples. Default all' }),
  ),
  from: date("first day, in the user's time zone; default the first day with data"),
  to: date('last day, included; default the last day with data'),
});

type Raw = { readonly [Name in 'resources' | 'metrics' | 'from' | 'to']?: string | undefined } & {
  readonly format: Format;
};

export function parseExportQuery(userId: string, query: Raw): ExportQuery {
  const issues: Issue[] = [];
  const resources = parseResources(query, issues);
  const from = parseDate(query.from, 'from', issues);
  const to = parseDate(query.to, 'to', issues);
  if (from !== null && to !== null && from > to) issues.push({ path: 'to', message: 'must not be before from' });
  if (query.format === 'bundle')
    for (const path of ['resources', 'metrics', 'from', 'to'] as const)
      if (query[path] !== undefined) issues.push({ path, message: 'a bundle is always complete; omit this parameter' });
  if (issues.length > 0) throw new AppError('invalid_parameter', { details: { issues } });
  return { userId, format: query.format, from, to, resources, metrics: parseMetricIds(query.metrics) };
}

function parseResources({ resources, format }: Raw, issues: Issue[]): readonly ExportResource[] {
  const names = resources === undefined ? EXPORT_RESOURCES : parseIdList(resources);
  const known = EXPORT_RESOURCES.filter((resource) => (names as readonly string[]).includes(resource));
  if (known.length < names.length || known.length === 0)
    issues.push({ path: 'resources', message: `must be a list of ${EXPORT_RESOURCES.join(', ')}` });
  else if (TABLE_FORMATS.includes(format) && known.length !== 1)
    issues.push({ path: 'resources', message: `must name one resource for format=${format}` });
  return known;
}

function parseMetricIds(text: string | undefined): ReadonlySet<MetricId> | null {
  if (text === undefined) return null;
  const ids = parseIdList(text);
  const unsupported = ids.filter((id) => findMetric(id) === null);
  if (ids.length === 0 || unsupported.length > 0) throw new AppError('invalid_metric', { details: { unsupported } });
  return new Set(ids as string[] as MetricId[]);
}

function parseDate(text: string | undefined, path: string, issues: Issue[]): LocalDate | null {
  if (text === undefined) return null;
  const parsed = parseLocalDate(text);
  if (parsed === null) issues.push({ path, message: 'must be a date such as 2026-01-31' });
  return parsed;
}
