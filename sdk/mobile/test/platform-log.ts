// A health store for tests: a seeded list of changes, and the records that remain at the end.
import type { Changes, Item, Source } from '../src/upload.ts';

export const WATCH: Source = { provider: 'apple_health', id: 'watch-1', model: 'Watch7,1', device_class: 'wrist' };
export const SCALE: Source = { provider: 'apple_health', id: 'scale-1', name: 'Scale', device_class: 'scale' };

export type Kept = {
  /** Value by metric and start. */
  readonly samples: Map<string, number>;
  readonly workouts: Set<string>;
};

const DAY = Date.parse('2026-03-02T00:00:00Z');
const MINUTE_MS = 60_000;

/** Records are added, changed (deleted and sent again at another time) and deleted by id. */
export function makePlatformLog(random: () => number, length: number): { changes: Changes[]; kept: Kept } {
  const records = new Map<string, { source: Source; items: Item[] }>();
  const changes: Changes[] = [];
  let minute = 0;
  let number = 0;
  const newRecord = (id: string): { source: Source; items: Item[] } => {
    minute += 1;
    const startMs = DAY + minute * MINUTE_MS;
    const start = new Date(startMs).toISOString();
    const dice = random();
    if (dice < 0.1) {
      const end = new Date(startMs + 30_000).toISOString();
      return {
        source: WATCH,
        items: [{ list: 'workouts', ids: [id], value: { id, sport_type: 'running', start, end } }],
      };
    }
    if (dice < 0.3)
      return {
        source: SCALE,
        items: [{ list: 'samples', ids: [id], value: { metric: 'weight', start, value: 70 + (minute % 9) } }],
      };
    return {
      source: WATCH,
      items: [{ list: 'samples', ids: [id], value: { metric: 'heart_rate', start, value: 50 + (minute % 90) } }],
    };
  };
  while (changes.length < length) {
    const dice = random();
    const known = [...records.keys()];
    const victim = known[Math.floor(random() * known.length)];
    if (dice < 0.15 && victim !== undefined) {
      records.delete(victim);
      changes.push({ deletedIds: [victim, 'never-seen'] });
    } else if (dice < 0.3 && victim !== undefined) {
      const { source, items } = newRecord(victim);
      records.set(victim, { source, items });
      changes.push({ deletedIds: [victim], groups: [{ source, items }] });
    } else {
      const added = Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        number += 1;
        const id = `record-${number}`;
        const record = newRecord(id);
        records.set(id, record);
        return record;
      });
      changes.push({ groups: added });
    }
  }
  const kept: Kept = { samples: new Map(), workouts: new Set() };
  for (const { items } of records.values())
    for (const item of items) {
      if (item.list === 'samples') kept.samples.set(`${item.value.metric} ${item.value.start}`, item.value.value);
      if (item.list === 'workouts') kept.workouts.add(item.value.start);
    }
  return { changes, kept };
}
