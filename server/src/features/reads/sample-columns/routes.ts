// Samples as columns, for the charts of the dashboard.
import { findMetric, METRICS, type Metric } from '../../../domain/metrics/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { ChartColumns } from './bucket-columns.ts';
import { type ColumnsQuery, readSampleColumns, type SampleColumnsRead } from './read-columns.ts';

/** More days would read more than the summaries of 15,000 blocks per device. */
const MAX_DAYS = 3_660;
const MAX_POINTS = 10_000;

const columnsReply = Type.Object({
  metric: Type.String(),
  unit: Type.String(),
  from: timestamp(),
  to: timestamp(),
  kind: oneOfWords(['sample', 'range', 'sum'] as const, {
    description:
      '`sample`: `v` has single samples; `range`: `min` and `max` of each step; `sum`: `v` has the sum of each step',
  }),
  devices: Type.Array(
    Type.Object({
      number: Type.Integer({ description: 'of the device within its user' }),
      id: nullable(Type.String({ format: 'uuid' })),
      provider: nullable(Type.String()),
      name: nullable(Type.String()),
      count: Type.Integer({ description: 'samples behind the columns' }),
      t0: Type.Number({ description: 'milliseconds since 1970' }),
      step_ms: Type.Number(),
      dt: Type.Array(Type.Number(), { description: 'steps since the value before; the first counts from t0' }),
      v: Type.Optional(Type.Array(Type.Number())),
      min: Type.Optional(Type.Array(Type.Number())),
      max: Type.Optional(Type.Array(Type.Number())),
    }),
  ),
});

export const sampleColumnRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/samples',
    operationId: 'readSampleColumns',
    tag: 'Users',
    summary: 'Read the samples of each device as columns, or their range per bucket',
    description: `Values are as each device recorded them, in the unit of the catalog. More samples than \`points\` are combined in buckets. Up to ${MAX_DAYS} days; long ranges begin and end with whole blocks of six hours.`,
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    query: requestObject({
      metric: Type.String({ maxLength: 100 }),
      from: Type.String({ format: 'date-time' }),
      to: Type.String({ format: 'date-time', description: 'excluded' }),
      points: withDefault(Type.Integer({ minimum: 10, maximum: MAX_POINTS }), 2_000),
    }),
    replies: { 200: columnsReply },
    parse: ({ params, query }): ColumnsQuery => ({
      userId: params.user_id,
      metric: parseMetric(query.metric),
      ...parseTimes(query.from, query.to),
      points: query.points,
    }),
    present: (read: SampleColumnsRead) => ({ status: 200, body: presentColumns(read) }),
    cost: 'large_read',
    csv: listRows,
    errors: ['not_found', 'invalid_metric', 'range_too_long'],
    handle: readSampleColumns,
  }),
];

function parseMetric(id: string): Metric {
  const metric = findMetric(id);
  if (metric !== null && metric.samples !== 'no') return metric;
  const supported = METRICS.filter(({ samples }) => samples !== 'no').map((one) => one.id);
  throw new AppError('invalid_metric', { details: { unsupported: [id], supported } });
}

function parseTimes(from: string, to: string) {
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  if (fromMs >= toMs)
    throw new AppError('invalid_parameter', { details: { issues: [{ path: 'to', message: 'must be after from' }] } });
  if (toMs - fromMs > MAX_DAYS * DAY_MS) throw new AppError('range_too_long', { details: { max_days: MAX_DAYS } });
  return { fromMs, toMs };
}

function presentColumns({ query, plan, devices }: SampleColumnsRead) {
  const hasRanges = devices.some(({ columns }) => 'min' in columns);
  return {
    metric: query.metric.id,
    unit: query.metric.unit,
    from: formatInstant(new Date(query.fromMs)),
    to: formatInstant(new Date(query.toMs)),
    kind: plan.by === 'sample' ? ('sample' as const) : hasRanges ? ('range' as const) : ('sum' as const),
    devices: devices.map(({ number, id, provider, name, count, columns }) => ({
      number,
      id,
      provider,
      name,
      count,
      t0: columns.t0,
      step_ms: columns.stepMs,
      dt: columns.dt,
      ...('min' in columns ? { min: columns.min, max: columns.max } : { v: columns.values }),
    })),
  };
}

function listRows({ query, devices }: SampleColumnsRead): CsvCell[][] {
  const header = ['time', 'device', 'metric', 'unit', 'min', 'max'];
  return [
    header,
    ...devices.flatMap(({ number, name, columns }) =>
      listTimes(columns).map((time, index): CsvCell[] => [
        formatInstant(new Date(time)),
        name ?? number,
        query.metric.id,
        query.metric.unit,
        ('min' in columns ? columns.min : columns.values)[index] ?? null,
        ('min' in columns ? columns.max : columns.values)[index] ?? null,
      ]),
    ),
  ];
}

function listTimes({ t0, stepMs, dt }: ChartColumns): number[] {
  let time = t0;
  return dt.map((steps) => {
    time += steps * stepMs;
    return time;
  });
}
