// Samples whose start lies in a closed interval leave, and the time they covered is told.
import { type RemainingSamples, removeInterval, type SampleColumns } from '../../domain/sample-blocks/index.ts';
import { findStart, sliceColumns } from '../../domain/sample-blocks/sample-columns.ts';
import { latestEnd } from './block-row.ts';
import type { TimeSpan } from './changed-span.ts';

export function cutInterval(
  columns: SampleColumns,
  { fromMs, toMs }: TimeSpan,
): RemainingSamples & { readonly span: TimeSpan | null } {
  const remaining = removeInterval(columns, fromMs, toMs);
  if (remaining.removed === 0) return { ...remaining, span: null };
  const first = findStart(columns.starts, fromMs);
  const gone = sliceColumns(columns, first, first + remaining.removed);
  return { ...remaining, span: { fromMs: gone.starts[0] as number, toMs: latestEnd(gone) } };
}
