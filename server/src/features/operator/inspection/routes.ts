// The operator's endpoints for inspecting stored data. Never part of the public API.

import { type LocalDate, parseLocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, timestamp, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type BlockPage, inspectBlocks, presentBlock } from './inspect-blocks.ts';
import { type InspectedCell, inspectDays, presentCell } from './inspect-days.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const text = (description?: string) => Type.Optional(Type.String({ ...(description && { description }) }));

const deviceFields = {
  number: Type.Integer(),
  id: nullable(Type.String()),
  provider: nullable(Type.String()),
  device_class: nullable(Type.String()),
};
const sampleObject = Type.Object({
  start: timestamp(),
  end: timestamp(),
  value: Type.Number(),
  unit: Type.String(),
  offset_minutes: Type.Integer(),
  recording_method: Type.String(),
});
const blockObject = Type.Object({
  metric: Type.String(),
  unit: nullable(Type.String({ description: 'unit of min, max and sum' })),
  device: Type.Object(deviceFields),
  from: timestamp(),
  to: timestamp(),
  count: Type.Integer(),
  min: Type.Number(),
  max: Type.Number(),
  sum: Type.Number(),
  revision: Type.Integer(),
  bytes: Type.Integer(),
  problem: nullable(Type.String({ description: 'why the block cannot be decoded' })),
  samples: nullable(Type.Array(sampleObject)),
});
const cellObject = Type.Object({
  metric: Type.String(),
  device: nullable(Type.Object(deviceFields, { description: 'null for the canonical value' })),
  value: Type.Number(),
  unit: nullable(Type.String({ description: "unit of the catalog; the device's unit is in the note" })),
  note: Type.String({ description: 'as stored' }),
  from_devices: Type.Array(Type.Integer()),
});

export const inspectionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/users/:user_id/blocks',
    operationId: 'adminInspectBlocks',
    tag,
    summary: "List a user's sample blocks, decoded if samples=true; repeat with after until next is null",
    access,
    healthDataOf: 'path_user',
    query: requestObject({
      metric: text(),
      date: text("day in the user's time zone"),
      device: text('device id'),
      samples: withDefault(Type.Boolean(), false),
      after: text('next of the previous reply'),
    }),
    replies: { 200: Type.Object({ data: Type.Array(blockObject), next: nullable(Type.String()) }) },
    parse: ({ params, query }) => ({
      userId: params.user_id,
      metric: query.metric ?? null,
      date: query.date === undefined ? null : parseDate(query.date),
      deviceId: query.device ?? null,
      withSamples: query.samples,
      after: query.after ?? null,
    }),
    present: ({ blocks, next }: BlockPage) => ({ status: 200, body: { data: blocks.map(presentBlock), next } }),
    errors: ['not_found', 'invalid_parameter'],
    handle: ({ services }, query) => inspectBlocks(services, query),
  }),
  route({
    method: 'GET',
    path: '/admin/users/:user_id/days',
    operationId: 'adminInspectDays',
    tag,
    summary: 'Read the stored values of a day: device values and canonical values with their notes',
    access,
    healthDataOf: 'path_user',
    query: requestObject({ date: Type.String(), metric: text() }),
    replies: { 200: Type.Object({ data: Type.Array(cellObject) }) },
    parse: ({ params, query }) => ({
      userId: params.user_id,
      date: parseDate(query.date),
      metric: query.metric ?? null,
    }),
    present: (cells: readonly InspectedCell[]) => ({ status: 200, body: { data: cells.map(presentCell) } }),
    errors: ['not_found', 'invalid_parameter'],
    handle: ({ services }, query) => inspectDays(services, query),
  }),
];

function parseDate(sent: string): LocalDate {
  const date = parseLocalDate(sent);
  if (date !== null) return date;
  const issues = [{ path: 'date', message: 'must be a day such as 2026-01-31' }];
  throw new AppError('invalid_parameter', { details: { issues } });
}
