// Previews settings: recomputes the user's days with them and compares. The caller rolls the transaction back.

import { changeSettings, type SettingsChange } from '../../../domain/consolidate/consolidation-rules.ts';
import { METRICS, type Metric, metricIdOf, metricNumberOf } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import { dateOf, MAX_DAYS, type MonthNumber, type MonthSheet } from '../../../domain/packed/month-sheets/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { listStoredMonths, loadDailySheets, readDeviceMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { saveConsolidation, type UserHandle } from '../../tenancy/user-core/index.ts';
import { rebuildUser } from '../ingest/index.ts';
import { previewScores, type ScoreChange } from '../scoring/index.ts';
import { explainUnchanged, listChangedMetrics, type MetricSource, type UnchangedReason } from './unchanged-reason.ts';

type PreviewedChange = {
  readonly metric: string;
  readonly date: LocalDate;
  readonly from: number | null;
  readonly to: number | null;
};
export type Preview = {
  readonly changes: readonly PreviewedChange[];
  readonly days_changed: number;
  readonly truncated: boolean;
  /** Null: something changes. */
  readonly reason: UnchangedReason | null;
  /** Of the last 30 days. Null: not asked for. */
  readonly scores: readonly ScoreChange[] | null;
};

type Sheets = ReadonlyMap<MonthNumber, MonthSheet>;

const MAX_CHANGES = 1_000;

/** The transaction must not be committed. */
export async function previewSettings(
  tx: Transaction,
  user: UserHandle,
  change: SettingsChange,
  { now, withScores }: { readonly now: Date; readonly withScores: boolean },
): Promise<Preview> {
  const settings = changeSettings(user.consolidation, change);
  const changed = { ...user, consolidation: settings };
  let before: Sheets = new Map();
  const apply = async () => {
    before = await loadSheets(tx, changed);
    await saveConsolidation(tx, changed, settings);
    await rebuildUser(tx, changed, now, listChangedMetrics(change) ?? 'choice');
    return changed;
  };
  const scores = withScores ? await previewScores(tx, user, now, apply) : null;
  if (!withScores) await apply();
  const changes = await compareSheets(before, await loadSheets(tx, changed)); // scoring computes some metrics too
  const isUnchanged = changes.length === 0 && (scores ?? []).length === 0;
  const reason = isUnchanged
    ? explainUnchanged(user.consolidation, settings, change, await listMetricSources(tx, user))
    : null;
  return {
    changes: changes.slice(0, MAX_CHANGES),
    days_changed: new Set(changes.map(({ date }) => date)).size,
    truncated: changes.length > MAX_CHANGES,
    reason,
    scores,
  };
}

async function loadSheets(tx: Transaction, user: UserHandle): Promise<Sheets> {
  return loadDailySheets(tx, user, await listStoredMonths(tx, user));
}

async function compareSheets(before: Sheets, after: Sheets): Promise<PreviewedChange[]> {
  const changes: PreviewedChange[] = [];
  const yieldIfDue = createYielder();
  for (const month of [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b)) {
    changes.push(...compareMonths(month, before.get(month), after.get(month)));
    await yieldIfDue();
  }
  return changes;
}

async function listMetricSources(tx: Transaction, user: UserHandle): Promise<MetricSource[]> {
  const devices = await listSourceDevices(tx, user);
  const months = await readDeviceMonths(tx, user, await listStoredMonths(tx, user));
  const sources = new Map<string, MetricSource>();
  for (const sheets of months.values())
    for (const [device, sheet] of sheets) {
      const provider = devices.find(({ number }) => number === device)?.provider;
      if (provider === undefined) continue;
      for (const number of sheet.metrics()) {
        const metric = metricIdOf(number);
        if (metric !== null) sources.set(`${metric} ${device}`, { metric, device, provider });
      }
    }
  return [...sources.values()];
}

/** Compares presented values: values that round to the same number are unchanged. */
function compareMonths(
  month: MonthNumber,
  before: MonthSheet | undefined,
  after: MonthSheet | undefined,
): PreviewedChange[] {
  return Array.from({ length: MAX_DAYS }, (_, index) => index + 1).flatMap((day) =>
    METRICS.flatMap((metric) => {
      const from = readValue(before, metric, day);
      const to = readValue(after, metric, day);
      return from === to ? [] : [{ metric: metric.id, date: dateOf(month, day), from, to }];
    }),
  );
}

function readValue(sheet: MonthSheet | undefined, metric: Metric, day: number): number | null {
  const cell = sheet?.get(metricNumberOf(metric.id), day) ?? null;
  return cell === null ? null : presentValue(metric, cell.value, 'metric').value;
}
