// The head and the day of a user, for the dashboard.

import { consolidationKeyOf } from '../../../domain/consolidate/consolidation-keys.ts';
import { findMetric, METHODS, type Method, type Metric } from '../../../domain/metrics/index.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type ExplainedValue, explainValue, explainValues } from '../../pipeline/ingest/index.ts';
import type { StoredAuditEntry } from '../../tenancy/accounts/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { readChanges } from '../consolidation-editor/index.ts';
import { parseExplainable } from '../daily/index.ts';
import { type ConditionalContext, openForRead, parseIdList } from '../shared/index.ts';
import { presentHead } from './present-head.ts';
import { presentRiver } from './present-river.ts';
import { type ExplainedValues, listValueCells, presentExplained, presentValues } from './present-values.ts';
import { type River, readRiver } from './read-river.ts';
import { readUserHead, type UserHead } from './read-user-head.ts';
import { type DayOfWeek, readWeek } from './read-week.ts';
import { headReply, riverReply, valueReply, valuesReply, weekReply } from './schemas.ts';

type ExplainedMetric = {
  readonly zone: string;
  readonly value: ExplainedValue;
  /** Of the settings of the metric. */
  readonly change: StoredAuditEntry | null;
};
type DayParams = { readonly user_id: string; readonly date: string };

const DAY = '/dashboard/api/:environment/users/:user_id/days/:date';
const access = { to: 'member', role: 'viewer' } as const;
const common = {
  method: 'GET',
  tag: 'Day',
  access,
  healthDataOf: 'path_user',
  errors: ['not_found', 'invalid_metric'],
} as const;

export const dayRoutes: readonly Route[] = [
  route({
    ...common,
    path: '/dashboard/api/:environment/users/:user_id/head',
    operationId: 'readUserHead',
    summary: 'Read a user with devices and the number of changed settings',
    replies: { 200: headReply },
    present: (head: UserHead) => ({ status: 200, body: presentHead(head) }),
    errors: ['not_found'],
    handle: (context, { params }) => readUserHead(context, params.user_id),
  }),
  route({
    ...common,
    path: `${DAY}/week`,
    operationId: 'readWeek',
    summary: 'Read the week that ends with a day: steps, and when each device measured something',
    isConditional: true,
    replies: { 200: weekReply },
    present: (days: DayOfWeek[]) => ({ status: 200, body: { days } }),
    cost: 'large_read',
    async handle(context, { params }) {
      const { user, date } = await openDay(context, params);
      return readWeek(context.services.db, user, date);
    },
  }),
  route({
    ...common,
    path: `${DAY}/river`,
    operationId: 'readRiver',
    summary: 'Read what every device measured on a day, and the source of every quarter hour',
    isConditional: true,
    query: requestObject({
      metrics: withDefault(
        Type.String({ description: 'metrics with samples, separated by commas' }),
        'heart_rate,steps',
      ),
    }),
    replies: { 200: riverReply },
    present: (river: River) => ({ status: 200, body: presentRiver(river) }),
    cost: 'large_read',
    async handle(context, { params, query }) {
      const metrics = parseBands(query.metrics);
      const { user, date } = await openDay(context, params);
      return context.services.db.transaction((tx) => readRiver(tx, user, date, metrics));
    },
  }),
  route({
    ...common,
    path: `${DAY}/values`,
    operationId: 'explainDayValues',
    summary: 'Explain all values of a day: every device that reported one, and how it was used',
    isConditional: true,
    csv: listValueCells,
    replies: { 200: valuesReply },
    present: (values: ExplainedValues) => ({ status: 200, body: presentValues(values) }),
    cost: 'large_read',
    async handle(context, { params }): Promise<ExplainedValues> {
      const { user, date } = await openDay(context, params);
      const values = await context.services.db.transaction((tx) => explainValues(tx, user, date));
      return { date, zone: createZone(user.timezone).name, values };
    },
  }),
  route({
    ...common,
    path: `${DAY}/values/:metric`,
    operationId: 'explainDayValue',
    summary: 'Explain one value of a day: ranks, quarter hours, and the value by every other method',
    description:
      'With `method` or `disabled` it explains the value as it would be with these settings; nothing is stored.',
    isConditional: true,
    query: requestObject({
      method: Type.Optional(oneOfWords(METHODS, { description: 'as if this method were set' })),
      disabled: Type.Optional(
        Type.String({
          description: 'as if only these providers were disabled for this metric, separated by commas; may be empty',
          maxLength: 500,
        }),
      ),
    }),
    replies: { 200: valueReply },
    present: ({ zone, value, change }: ExplainedMetric) => ({
      status: 200,
      body: presentExplained(zone, value, change),
    }),
    cost: 'large_read',
    async handle(context, { params, query }) {
      const metric = parseExplainable(params.metric);
      const { user, date } = await openDay(context, params);
      const disabled = query.disabled?.split(',').filter(Boolean);
      const supposed = supposeSettings(user, metric, { method: query.method, disabled });
      const { db } = context.services;
      const value = await db.transaction((tx) => explainValue(tx, supposed, metric, date));
      const isSet = user.consolidation.metrics[consolidationKeyOf(metric) ?? ''] !== undefined;
      const change = isSet ? (await readChanges(db, user))(consolidationKeyOf(metric) ?? '') : null;
      return { zone: createZone(user.timezone).name, value, change };
    },
  }),
];

const BAD_DATE = { path: 'date', message: 'must be a date such as 2026-01-31' };

async function openDay(
  context: ConditionalContext,
  { user_id, date: text }: DayParams,
): Promise<{ readonly user: UserHandle; readonly date: LocalDate }> {
  const date = parseLocalDate(text);
  if (date === null) throw new AppError('invalid_parameter', { details: { issues: [BAD_DATE] } });
  const user = await openForRead(context, user_id);
  context.revalidate(`${user.dataRevision}.${user.timezone}`);
  return { user, date };
}

type SupposedSettings = {
  readonly method?: Method | undefined;
  /** Of the metric's key; undefined: as they are. */
  readonly disabled?: readonly string[] | undefined;
};

/** The user as if other settings were stored. */
function supposeSettings(user: UserHandle, metric: Metric, { method, disabled }: SupposedSettings): UserHandle {
  const key = consolidationKeyOf(metric);
  if (key === null) return user;
  const { metrics } = user.consolidation;
  const stored = metrics[key] ?? { method: null, providersOff: [] };
  const supposed = { method: method ?? stored.method, providersOff: disabled ?? stored.providersOff };
  return { ...user, consolidation: { ...user.consolidation, metrics: { ...metrics, [key]: supposed } } };
}

/** As many as a screen shows. */
const MAX_BANDS = 8;

function parseBands(text: string): Metric[] {
  const ids = parseIdList(text);
  const metrics = ids.flatMap((id) => findMetric(id) ?? []).filter(({ samples }) => samples !== 'no');
  const known = new Set<string>(metrics.map(({ id }) => id));
  if (metrics.length < ids.length || ids.length > MAX_BANDS)
    throw new AppError('invalid_metric', { details: { unsupported: ids.filter((id) => !known.has(id)) } });
  return metrics;
}
