// Parses the requested dates or `lastupdate`, and pages the results.
import { type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { PersonCall } from '../dialect.ts';
import { refuseParameter, replyBody } from './answer.ts';

/** Smaller than Withings' pages, so that a month has more than one. */
const PAGE_ROWS = 20;

export type Row = { readonly modified: number } & Readonly<Record<string, unknown>>;
type DatedRows = (view: AccountView, day: AccountDay) => readonly Row[];

/** By `startdateymd` and `enddateymd`, or by `lastupdate`; never by both. */
export function answerDated({ view, form }: PersonCall, list: string, rowsOf: DatedRows): RawReply {
  const since = readSeconds(form, 'lastupdate');
  const [from, to] = [form.get('startdateymd'), form.get('enddateymd')];
  if (since !== null && (from ?? to) !== null) return refuseParameter('lastupdate and dates exclude each other');
  if (since === null && (from === null || to === null)) return refuseParameter('dates or lastupdate are missing');
  const first = since === null ? parseLocalDate(from ?? '') : view.firstDate;
  const last = since === null ? parseLocalDate(to ?? '') : view.today;
  if (first === null || last === null) return refuseParameter('invalid date');
  const rows = listDated(view, first, last, rowsOf).filter(({ modified }) => modified * 1_000 >= (since ?? 0));
  const { items, next } = cutPage(rows, form);
  return replyBody({ [list]: items, more: next !== null, offset: next ?? 0 });
}

export function cutPage<One>(rows: readonly One[], form: URLSearchParams): { items: One[]; next: number | null } {
  const offset = Number(/^\d{1,9}$/.exec(form.get('offset') ?? '')?.[0] ?? 0);
  const end = offset + PAGE_ROWS;
  return { items: rows.slice(offset, end), next: end < rows.length ? end : null };
}

/** In milliseconds. Null: missing or not a number. */
export function readSeconds(form: URLSearchParams, name: string): number | null {
  const text = form.get(name) ?? '';
  return /^\d{1,11}$/.test(text) ? Number(text) * 1_000 : null;
}

/** [from, to) */
export function readInterval(form: URLSearchParams): { readonly from: number; readonly to: number } | null {
  const [from, to] = [readSeconds(form, 'startdate'), readSeconds(form, 'enddate')];
  return from === null || to === null ? null : { from, to };
}

/** Without `data_fields` only some fields are returned. */
export function pickFields(
  values: Readonly<Record<string, unknown>>,
  form: URLSearchParams,
  usual: readonly string[],
): Record<string, unknown> {
  const wanted = form.get('data_fields')?.split(',') ?? usual;
  return Object.fromEntries(Object.entries(values).filter(([name]) => wanted.includes(name)));
}

export const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

function listDated(view: AccountView, from: LocalDate, to: LocalDate, rowsOf: DatedRows): Row[] {
  return view.days(from, to).flatMap((day) => rowsOf(view, day));
}
