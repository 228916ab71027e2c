// https://developer.dexcom.com/docs/dexcomv3/operation/getEventsV3: what the user typed into the app. `value` is a text.
//
// Clients receive entries without a unit or with an empty value. An entry that was deleted counts as 0, because its amount is
// already in the total of its day. Entries of the same second (fast-acting and long-acting insulin) are added, because a sample is
// identified by its start.
import type { MapContext } from '../contract.ts';
import type { RecordCollector } from '../provider-records.ts';
import { type JsonObject, readText } from '../read-json.ts';
import { rejectField } from '../unreadable-fields.ts';
import { createTimeReader, type RecordTime } from './record-times.ts';

type Kind = { readonly metric: string; readonly reported: string; readonly unit: string };
type Entry = { readonly kind: Kind; readonly at: RecordTime; readonly amount: number };

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['carbs', { metric: 'carbohydrates', reported: 'grams', unit: 'g' }],
  ['insulin', { metric: 'insulin_delivery', reported: 'units', unit: 'IU' }],
]);

const DECIMAL = /^\d{1,6}(\.\d+)?$/;

export function collectEvents(records: readonly unknown[], into: RecordCollector, { zone }: MapContext): void {
  const readTime = createTimeReader(zone);
  const entries = new Map<string, Entry>();
  into.each(records, (record) => {
    const kind = KINDS.get(readText(record, 'eventType') ?? '');
    if (kind === undefined) return;
    const at = readTime(record);
    const amount = readAmount(record, kind.reported);
    if (amount === null) return;
    const key = `${kind.metric} ${at.start}`;
    entries.set(key, { kind, at, amount: amount + (entries.get(key)?.amount ?? 0) });
  });
  for (const { kind, at, amount } of entries.values())
    into.sample(kind.metric, { ...at, method: 'manual' }, amount, kind.unit);
}

function readAmount(record: JsonObject, reported: string): number | null {
  if (readText(record, 'eventStatus') === 'deleted') return 0;
  const unit = readText(record, 'unit') ?? '';
  if (unit !== '' && unit !== reported) return rejectField('unit', 'is another unit');
  const text = readText(record, 'value') ?? '';
  if (text === '') return null;
  return DECIMAL.test(text) ? Number(text) : rejectField('value', 'is not an amount');
}
