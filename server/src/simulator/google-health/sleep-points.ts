// Sleeps with their stages. Minutes are integers as strings.

import type { SleepSession, SleepStage } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { isNight } from '../record-edits.ts';
import { type DataPoint, writeInterval } from './data-point.ts';

const STAGES = ['awake', 'light', 'deep', 'rem'] as const;

export function listSleeps({ account }: AccountView, { date, sleeps }: AccountDay): DataPoint[] {
  return sleeps.map((sleep) => ({
    startMs: sleep.start,
    endMs: sleep.end,
    date,
    key: sleep.key,
    method: 'DERIVED',
    fields: {
      type: 'STAGES',
      stages: (sleep.stages ?? []).map(({ stage, start, end }) => ({
        ...writeInterval(account.zone, start, end),
        type: stage.toUpperCase(),
      })),
      metadata: { stagesStatus: 'SUCCEEDED', processed: true, nap: !isNight(sleep), manuallyEdited: false },
      summary: summarise(sleep),
    },
  }));
}

function summarise({ start, end, stages }: SleepSession) {
  const reported = stages ?? [];
  const minutesOf = (wanted: SleepStage) =>
    reported.reduce((sum, one) => sum + (one.stage === wanted ? one.end - one.start : 0), 0) / MINUTE_MS;
  const atEdge = (index: number) => {
    const one = reported.at(index);
    return one?.stage === 'awake' ? (one.end - one.start) / MINUTE_MS : 0;
  };
  const inBed = (end - start) / MINUTE_MS;
  return {
    minutesInSleepPeriod: String(inBed),
    minutesToFallAsleep: String(atEdge(0)),
    minutesAfterWakeUp: String(atEdge(-1)),
    minutesAsleep: String(inBed - minutesOf('awake')),
    minutesAwake: String(minutesOf('awake')),
    stagesSummary: STAGES.map((stage) => ({
      type: stage.toUpperCase(),
      minutes: String(minutesOf(stage)),
      count: String(reported.filter((one) => one.stage === stage).length),
    })),
  };
}
