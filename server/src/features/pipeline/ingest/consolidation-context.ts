// The context of consolidating days, for one user and one transaction.

import type { ConsolidationRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { rankDevices } from '../../../domain/consolidate/ranking.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import type { DateRange } from '../../../domain/time/calendar.ts';
import { createZone, type Zone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { openSampleBuffer, type SampleBuffer } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type DayBuffer, openDayBuffer } from './day-buffer.ts';

export type ConsolidationContext = {
  readonly tx: Transaction;
  readonly user: UserHandle;
  readonly zone: Zone;
  readonly devices: readonly SourceDevice[];
  readonly rules: ConsolidationRules;
  readonly samples: SampleBuffer;
  readonly days: DayBuffer;
  /** The devices for a metric, highest rank first. */
  rankedFor(metric: Metric): readonly RankedSource[];
  /** Days to score again, beside those with changed values. */
  readonly rescoreRanges: DateRange[];
  /** `devices` lacks one whose data was removed, and which affected the stored values. */
  readonly hasRemovedDevice: boolean;
};

type RankedSource = { readonly device: SourceDevice; readonly isEnabled: boolean };

export function openConsolidation(
  tx: Transaction,
  user: UserHandle,
  devices: readonly SourceDevice[],
  { hasRemovedDevice = false } = {},
): ConsolidationContext {
  const rules = createRules(user.consolidation);
  return {
    tx,
    user,
    zone: createZone(user.timezone),
    devices,
    rules,
    samples: openSampleBuffer(tx, user),
    days: openDayBuffer(tx, user),
    rescoreRanges: [],
    hasRemovedDevice,
    rankedFor: rankOnce(rules, devices),
  };
}

/** Cached, because the ranking is needed for every day and does not change. */
function rankOnce(
  rules: ConsolidationRules,
  devices: readonly SourceDevice[],
): (metric: Metric) => readonly RankedSource[] {
  const ranked = new Map<Metric, readonly RankedSource[]>();
  return (metric) =>
    ranked.getOrInsertComputed(metric, () =>
      rankDevices(metric.ranking, devices).map((device) => ({
        device,
        isEnabled: rules.isEnabled(metric, device.provider),
      })),
    );
}
