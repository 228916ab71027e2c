// The metrics of the group. Its counters never fall, because those of processes that ended or do not answer are kept.
import { SECOND_MS } from '../domain/time/durations.ts';
import { type MetricValues, mergeMetrics, RESTARTS, sumCounters } from '../platform/metrics.ts';

type MeasuredProcess = {
  /** Resolves also if the process does not answer. */
  readMetrics(): Promise<void>;
  /** Null: it has never answered. */
  lastMetrics(): MetricValues | null;
};

type GroupMetrics = {
  add(member: MeasuredProcess): void;
  /** Keeps the counters of a process that has ended. */
  remove(member: MeasuredProcess): void;
  /** A process ended by itself and is started again. */
  countRestart(): void;
  /** Null: the values do not fit together. */
  render(): Promise<string | null>;
};

export function createGroupMetrics(startedAtMs: number): GroupMetrics {
  const members = new Set<MeasuredProcess>();
  let ended: Promise<MetricValues> = Promise.resolve([]);
  let restarts = 0;

  /** Before the values of the processes, because the first one decides how a metric is merged. */
  const describeGroup = (): MetricValues => [
    {
      name: 'process_start_time_seconds',
      help: 'Start time of the group since unix epoch in seconds.',
      type: 'gauge',
      aggregator: 'first',
      values: [{ labels: {}, value: Math.floor(startedAtMs / SECOND_MS) }],
    },
    { ...RESTARTS, type: 'counter', aggregator: 'sum', values: [{ labels: {}, value: restarts }] },
  ];

  return {
    add: (member) => void members.add(member),
    remove(member) {
      const values = members.delete(member) ? member.lastMetrics() : null;
      if (values !== null) ended = ended.then((former) => sumCounters([former, values]).catch(() => former));
    },
    countRestart: () => {
      restarts += 1;
    },
    async render() {
      await Promise.all([...members].map((member) => member.readMetrics()));
      const present = [...members].map((member) => member.lastMetrics()).filter((values) => values !== null);
      return mergeMetrics([describeGroup(), ...present, await ended]).catch(() => null);
    },
  };
}
