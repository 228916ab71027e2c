// A sleep: totals of its stages in seconds, their graph, and the mean heart rate and its variability as graphs of one point.
import type { SleepSession, SleepStage } from '../../domain/records/records.ts';

const NAMES: Readonly<Partial<Record<SleepStage, string>>> = {
  deep: 'deep_sleep',
  light: 'light_sleep',
  rem: 'rem_sleep',
  awake: 'awake',
};

export function writeSleep(sleep: SleepSession): Readonly<Record<string, unknown>> {
  const { start, end, stages, heartRate, heartRateVariability } = sleep;
  const points = (value: number | null) => (value === null ? [] : [{ timestamp: start / 1_000, value }]);
  const graph = (stages ?? []).map((one) => ({
    start: one.start / 1_000,
    end: one.end / 1_000,
    type: NAMES[one.stage],
  }));
  const totals = Object.values(NAMES).map((type) => ({
    type,
    stage_time: graph.reduce((sum, one) => sum + (one.type === type ? one.end - one.start : 0), 0),
  }));
  return {
    bedtime_start: start / 1_000,
    bedtime_end: end / 1_000,
    quick_metrics: [{ type: 'time_in_bed', value: (end - start) / 1_000 }],
    sleep_stages: graph.length === 0 ? [] : totals,
    sleep_graph: { title: 'Sleep Stages', data: graph },
    hr_graph: { title: 'Heart Rate', data: points(heartRate) },
    hrv_graph: { title: 'Heart Rate Variability', data: points(heartRateVariability) },
    respiratory_graph: null,
  };
}
