// Sleep in Form 2: the user's local time, pages by cursor. Pure.

import { totalSleep } from '../../../domain/sleep/index.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { dialect } from '../../../platform/http/route.ts';
import { createMeasure, formatClock, parseForm2Page, presentSourceDetail } from '../shared/index.ts';
import { type FilledSleep, presentOtherSources } from './describe-sleeps.ts';
import { presentCopies } from './present-copies.ts';
import { presentStages } from './present-stages.ts';
import { sleepForm2Query, sleepForm2Reply } from './schemas.ts';
import { parseInclude, type SleepQuery, type SleepReadModel } from './sleep-read-model.ts';

export const list = dialect({
  params: ['user_id'],
  query: sleepForm2Query,
  replies: { 200: sleepForm2Reply },
  parse: ({ params, query }): SleepQuery => ({
    userId: params.user_id,
    page: parseForm2Page(query),
    unitSystem: 'metric',
    includeSources: query.include_sources,
    included: parseInclude(query.include),
  }),
  present: ({ range, zone, sleeps, nextCursor, includeSources, included }: SleepReadModel) => ({
    status: 200,
    body: {
      from_date: range.from,
      to_date: range.to,
      data: sleeps.map((sleep) => ({
        ...presentSleep(sleep, zone),
        ...(included.hasStages
          ? { stages: presentStages(sleep.session, (epochMs) => formatClock(epochMs, zone)) }
          : {}),
        ...(included.hasCopies ? { copies: presentCopies(sleep, (session) => presentCopy(session, zone)) } : {}),
        ...(includeSources
          ? { source_detail: presentSourceDetail(sleep.source), sources: presentOtherSources(sleep, FIELDS) }
          : {}),
      })),
      next_cursor: nextCursor,
    },
  }),
});

const FIELDS = {
  asleep: 'asleep_minutes',
  deep: 'deep_minutes',
  light: 'light_minutes',
  rem: 'rem_minutes',
  awake: 'awake_minutes',
  inBed: 'in_bed_minutes',
} as const;

const presentMinutes = createMeasure('asleep');
const presentEfficiency = createMeasure('sleep_efficiency');

function presentCopy(session: FilledSleep['session'], zone: Zone) {
  return {
    ...presentTimes(session, zone),
    asleep_minutes: presentMinutes(totalSleep(session).asleep),
  };
}

function presentTimes({ start, end }: FilledSleep['session'], zone: Zone) {
  return {
    start_time: formatClock(start, zone),
    end_time: formatClock(end, zone),
    duration_minutes: presentMinutes((end - start) / MINUTE_MS),
  };
}

function presentSleep({ id, date, isMain, session, source }: FilledSleep, zone: Zone) {
  const totals = totalSleep(session);
  return {
    id,
    date,
    ...presentTimes(session, zone),
    is_main_sleep: isMain,
    source: source.provider,
    asleep_minutes: presentMinutes(totals.asleep),
    deep_minutes: presentMinutes(totals.deep),
    light_minutes: presentMinutes(totals.light),
    rem_minutes: presentMinutes(totals.rem),
    awake_minutes: presentMinutes(totals.awake),
    in_bed_minutes: presentMinutes(totals.inBed),
    efficiency_pct: presentEfficiency(totals.efficiencyPct),
  };
}
