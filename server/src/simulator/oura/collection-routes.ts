// Collection routes: by dates, by id, and heart rate by time.

import { addDays, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { nameHex } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { COLLECTIONS, type Collection } from './collections.ts';
import type { OuraDocument } from './document.ts';
import { listHeartRate } from './heart-rate.ts';
import { documentNotFound, refuseParameter, refuseRequest } from './refuse.ts';

const BASE = '/v2/usercollection';
const PAGE_DOCUMENTS = 10;
const PAGE_BEATS = 1_000;
const MAX_BEATS_MS = 30 * DAY_MS;

export const collectionRoutes: readonly SimulatedRoute[] = COLLECTIONS.flatMap((collection): SimulatedRoute[] => {
  const path = `${BASE}/${collection.path ?? collection.name}`;
  const { scope } = collection;
  return [
    { method: 'GET', path, access: 'person', scope, answer: (call) => answerList(collection, call) },
    { method: 'GET', path: `${path}/{id}`, access: 'person', scope, answer: (call) => answerOne(collection, call) },
  ];
});

export const heartRateRoute: SimulatedRoute = {
  method: 'GET',
  path: `${BASE}/heartrate`,
  access: 'person',
  scope: 'heartrate',
  answer({ view, query }) {
    const end = readTime(query.get('end_datetime'), view.nowMs);
    const start = readTime(query.get('start_datetime'), (end ?? view.nowMs) - DAY_MS);
    if (start === null) return refuseParameter('query', 'start_datetime', 'invalid datetime format');
    if (end === null) return refuseParameter('query', 'end_datetime', 'invalid datetime format');
    if (start > end) return refuseRequest('Start time is greater than end time.');
    if (end - start > MAX_BEATS_MS) return refuseRequest('The time range is longer than 30 days.');
    return replyPage(listHeartRate(view, start, end), {
      size: PAGE_BEATS,
      query: ['heartrate', String(start), String(end)],
      token: query.get('next_token'),
    });
  },
};

function answerList({ name, isEndExclusive = false, list }: Collection, { view, query }: PersonCall): RawReply {
  const end = readDate(query.get('end_date'), view.today);
  const start = readDate(query.get('start_date'), addDays(end ?? view.today, -1));
  if (start === null) return refuseParameter('query', 'start_date', 'invalid date format');
  if (end === null) return refuseParameter('query', 'end_date', 'invalid date format');
  if (start > end) return refuseRequest('Start date is greater than end date.');
  const days = view.days(start, isEndExclusive ? addDays(end, -1) : end);
  const fields = query.get('fields')?.split(',') ?? null;
  const documents = days.flatMap((day) => list(view, day)).map((document) => pickFields(document, fields));
  return replyPage(documents, {
    size: PAGE_DOCUMENTS,
    query: [name, start, end, fields?.join() ?? ''],
    token: query.get('next_token'),
  });
}

function answerOne({ list }: Collection, { view, params }: PersonCall): RawReply {
  for (const day of view.days(view.firstDate, view.today).reverse()) {
    const found = list(view, day).find(({ id }) => id === params.id);
    if (found !== undefined) return replyJson(200, found);
  }
  return documentNotFound();
}

function pickFields(document: OuraDocument, fields: readonly string[] | null): Readonly<Record<string, unknown>> {
  if (fields === null) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => name === 'id' || fields.includes(name)));
}

function readDate(text: string | null, otherwise: LocalDate): LocalDate | null {
  return text === null ? otherwise : parseLocalDate(text);
}

function readTime(text: string | null, otherwise: number): number | null {
  const ms = text === null ? otherwise : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** The token of the next page is valid only for the same request. */
function replyPage(
  items: readonly unknown[],
  { size, query, token }: { size: number; query: readonly string[]; token: string | null },
): RawReply {
  const mark = nameHex(16, ...query);
  const offset = token === null ? 0 : readOffset(token, mark);
  if (offset === null) return refuseRequest('Invalid next_token.');
  const end = offset + size;
  const next = end < items.length ? Buffer.from(`${mark}:${end}`).toString('base64url') : null;
  return replyJson(200, { data: items.slice(offset, end), next_token: next });
}

function readOffset(token: string, mark: string): number | null {
  const [, sent, offset] = /^([0-9a-f]+):(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  return sent === mark ? Number(offset) : null;
}
