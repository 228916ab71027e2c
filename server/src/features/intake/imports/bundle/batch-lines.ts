// Collects the lines of a bundle into batches, each of one device, of a size that one transaction stores in a moment.
import type { NumberedLine } from './check-bundle.ts';
import type { LineOf } from './line-schemas.ts';
import type { RecordLine } from './map-records.ts';

type LineBatch = {
  /** Null: baselines, which belong to no device. */
  readonly device: number | null;
  readonly lines: (RecordLine | LineOf<'baseline'>)[];
};

type Collecting = LineBatch & { weight: number };

/** About as many samples as an upload of one megabyte. */
const MAX_BATCH_WEIGHT = 20_000;
/** Of all devices together: bounds the memory. */
const MAX_PENDING_WEIGHT = 80_000;
/** A session recomputes its days, so it takes as long as many samples. */
const SESSION_WEIGHT = 40;
const BASELINE_WEIGHT = 40;
/** Each line of samples recomputes a day or two, whatever the number of its samples. */
const LINE_WEIGHT = 20;

/** The same for the same lines, so that an interrupted import can continue by the number of batches. */
export async function* batchLines(lines: AsyncIterable<NumberedLine>): AsyncGenerator<LineBatch> {
  const pending = new Map<number | null, Collecting>();
  let pendingWeight = 0;
  const close = (batch: Collecting): LineBatch => {
    pending.delete(batch.device);
    pendingWeight -= batch.weight;
    return { device: batch.device, lines: batch.lines };
  };
  for await (const { line } of lines) {
    if (line.line === 'header' || line.line === 'user' || line.line === 'device' || line.line === 'end') continue;
    const device = line.line === 'baseline' ? null : line.device;
    const weight = weigh(line);
    const before = pending.get(device);
    if (before !== undefined && before.weight + weight > MAX_BATCH_WEIGHT) yield close(before);
    const batch = pending.get(device) ?? { device, lines: [], weight: 0 };
    pending.set(device, batch);
    batch.lines.push(line);
    batch.weight += weight;
    pendingWeight += weight;
    if (batch.weight >= MAX_BATCH_WEIGHT) yield close(batch);
    else if (pendingWeight >= MAX_PENDING_WEIGHT)
      yield close([...pending.values()].reduce((most, one) => (one.weight > most.weight ? one : most)));
  }
  for (const batch of [...pending.values()]) yield close(batch);
}

function weigh(line: RecordLine | LineOf<'baseline'>): number {
  switch (line.line) {
    case 'samples':
      return LINE_WEIGHT + line.start.length;
    case 'daily':
      return LINE_WEIGHT * line.values.length;
    case 'sleep':
      return SESSION_WEIGHT + (line.stages?.length ?? 0);
    case 'workout':
      return (
        SESSION_WEIGHT + (line.heart_rate_samples?.length ?? 0) + (line.route?.length ?? 0) + (line.laps?.length ?? 0)
      );
    case 'baseline':
      return BASELINE_WEIGHT;
  }
}
