// Excludes records from a reconciliation that the provider sent again on the same page: those are replaced or unchanged, not
// deleted.
import type { EpochMs } from '../../../../domain/records/records.ts';
import type { Batch, Deletion } from '../../../pipeline/ingest/index.ts';

export function keepResent(reconciled: readonly Deletion[], batch: Batch): Deletion[] {
  const days = new Set(batch.daily.map(keyOf));
  const keys = {
    sleep: new Set(batch.sleep.map(({ key }) => key)),
    workout: new Set(batch.workouts.map(({ key }) => key)),
  };
  return reconciled.flatMap((deletion): Deletion[] => {
    switch (deletion.kind) {
      case 'samples':
        return listGaps(deletion, batch.samples.get(deletion.metric)?.starts ?? new Float64Array());
      case 'daily':
        return days.has(keyOf(deletion)) ? [] : [deletion];
      default:
        return keys[deletion.kind].has(deletion.key) ? [] : [deletion];
    }
  });
}

function keyOf({ metric, date }: { readonly metric: string; readonly date: string }): string {
  return `${metric} ${date}`;
}

type SampleDeletion = Extract<Deletion, { kind: 'samples' }>;

/** Returns the intervals around the starts that were sent again (sorted); both ends are included. */
function listGaps(deletion: SampleDeletion, starts: Float64Array): SampleDeletion[] {
  const gaps: SampleDeletion[] = [];
  let from: number = deletion.start;
  const add = (to: number) => {
    if (to >= from) gaps.push({ ...deletion, start: from as EpochMs, end: to as EpochMs });
  };
  for (const start of starts) {
    if (start < from || start > deletion.end) continue;
    add(start - 1);
    from = start + 1;
  }
  add(deletion.end);
  return gaps;
}
