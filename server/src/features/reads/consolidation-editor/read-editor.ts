// What the editor of a user's consolidation shows before anything is changed.
import { CONSOLIDATION_KEYS, type ConsolidationKey } from '../../../domain/consolidate/consolidation-keys.ts';
import { monthOf } from '../../../domain/packed/month-sheets/index.ts';
import { addDays, dayNumberOf, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { type Configuration, readConfiguration } from '../../pipeline/consolidation/index.ts';
import { collectDayColumn, type DayColumn, readDailyMonths, readDeviceMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import type { StoredAuditEntry } from '../../tenancy/accounts/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import { hasDifferences, type KeySource, listKeySources } from './key-sources.ts';
import { readChanges } from './read-changes.ts';

export type Editor = {
  readonly zone: string;
  /** The week that ends today, oldest first. */
  readonly dates: readonly LocalDate[];
  readonly configuration: Configuration;
  readonly keys: readonly EditedKey[];
};
type EditedKey = {
  readonly key: ConsolidationKey;
  /** A method is set, or a provider is disabled for this key. */
  readonly isChanged: boolean;
  /** Null: the defaults, or the audit log no longer has the change. */
  readonly lastChange: StoredAuditEntry | null;
  readonly sources: readonly KeySource[];
  readonly differs: boolean;
  readonly valuesOf: readonly DayColumn[];
};

const WEEK_DAYS = 7;
/** Sources that have sent nothing for longer are not listed. */
const SOURCE_DAYS = 30;

export async function readEditor(context: ReadContext, { userId }: { readonly userId: string }): Promise<Editor> {
  const { services, caller } = context;
  const { db, clock } = services;
  const user = await openForRead(context, userId);
  const zone = createZone(user.timezone);
  const today = zone.dayAt(clock.now().getTime()).date;
  const dates = Array.from({ length: WEEK_DAYS }, (_, index) => addDays(today, index + 1 - WEEK_DAYS));
  const [from, to] = [monthOf(addDays(today, 1 - SOURCE_DAYS)), monthOf(today)];
  const [configuration, devices, sheets, daily, lastChangeOf] = await Promise.all([
    readConfiguration({ services, caller }, { userId }),
    listSourceDevices(db, user),
    readDeviceMonths(db, user, from === to ? [to] : [from, to]),
    readDailyMonths(db, user, from, to),
    readChanges(db, user),
  ]);
  return {
    zone: zone.name,
    dates,
    configuration,
    keys: CONSOLIDATION_KEYS.map((key) => ({
      key,
      isChanged: user.consolidation.metrics[key.key] !== undefined,
      lastChange: lastChangeOf(key.key),
      sources: listKeySources(key, devices, sheets),
      differs: hasDifferences(key, sheets),
      valuesOf: key.metrics.map(({ id }) => collectDayColumn(daily, id)),
    })),
  };
}

export function readWeekOf(valueOn: DayColumn, dates: readonly LocalDate[]): (number | null)[] {
  return dates.map((date) => valueOn(dayNumberOf(date)));
}
