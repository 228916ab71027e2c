// Nights and naps: the total duration of each stage, without times.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { createDraw } from '../../domain/sandbox/index.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { nameUuid } from '../names.ts';
import { isNight } from '../record-edits.ts';
import { cycleIdOf } from './cycles.ts';
import { toTenth, type WhoopRecord, writeInterval, writeScored } from './record.ts';

/** Shorter sleeps are not scored. */
const SCORABLE_MS = 30 * MINUTE_MS;

export function sleepIdOf({ account }: AccountView, { key }: SleepSession): string {
  return nameUuid('whoop', account.seed, 'sleep', key);
}

export function listSleeps(view: AccountView, day: AccountDay): WhoopRecord[] {
  return day.sleeps.map((sleep) => {
    const id = sleepIdOf(view, sleep);
    const body = {
      id,
      cycle_id: exactNumber(cycleIdOf(view, day.date)),
      v1_id: null,
      ...writeInterval(sleep),
      nap: !isNight(sleep),
      ...writeScored(view, sleep.end, {
        isScorable: sleep.end - sleep.start >= SCORABLE_MS,
        score: () => writeScore(view, day, sleep),
      }),
    };
    return { id, startMs: sleep.start, body };
  });
}

function writeScore({ account }: AccountView, { date }: AccountDay, sleep: SleepSession) {
  const stages = sleep.stages ?? [];
  const ofStage = (wanted: SleepStage) => stages.filter(({ stage }) => stage === wanted);
  const milli = (wanted: SleepStage) => ofStage(wanted).reduce((sum, { start, end }) => sum + end - start, 0);
  const inBed = sleep.end - sleep.start;
  const asleep = inBed - milli('awake');
  const draw = createDraw(account.seed, 'sleep needed', date);
  const need = {
    baseline_milli: Math.round(account.person.inBedMinutes * 0.95) * MINUTE_MS,
    need_from_sleep_debt_milli: Math.round(draw.between(0, 30)) * MINUTE_MS,
    need_from_recent_strain_milli: Math.round(draw.between(0, 15)) * MINUTE_MS,
    need_from_recent_nap_milli: draw.isLucky(0.2) ? -20 * MINUTE_MS : 0,
  };
  const needed = Object.values(need).reduce((sum, ms) => sum + ms, 0);
  return {
    stage_summary: {
      total_in_bed_time_milli: inBed,
      total_awake_time_milli: milli('awake'),
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: milli('light'),
      total_slow_wave_sleep_time_milli: milli('deep'),
      total_rem_sleep_time_milli: milli('rem'),
      sleep_cycle_count: ofStage('rem').length,
      disturbance_count: ofStage('awake').length,
    },
    sleep_needed: need,
    ...(sleep.respiratoryRate !== null && { respiratory_rate: sleep.respiratoryRate }),
    sleep_performance_percentage: Math.min(100, Math.round((100 * asleep) / needed)),
    ...(isNight(sleep) && { sleep_consistency_percentage: Math.round(draw.between(60, 95)) }),
    sleep_efficiency_percentage: toTenth((100 * asleep) / inBed),
  };
}
