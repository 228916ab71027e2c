// What an export does not contain because the terms of a provider forbid it: counted before the file begins, so that every format
// and the headers can say it.
import { listBlocks } from '../../store/samples/index.ts';
import { type DateRange, readSources } from '../shared/index.ts';
import type { ExportSource } from './export-source.ts';
import { countExcludedRecords, isRecordResource } from './record-pages.ts';
import type { ExportResource } from './records.ts';

export type Exclusions = {
  readonly providers: readonly { readonly provider: string; readonly restrictions: readonly string[] }[];
  /** Records by resource. Samples: those that the excluded devices reported, on all days. */
  readonly records: Readonly<Record<string, number>>;
};

/** Null: nothing is excluded. */
export async function countExclusions(
  source: ExportSource,
  range: DateRange | null,
  resources: readonly ExportResource[],
): Promise<Exclusions | null> {
  if (source.excluded.size === 0) return null;
  const records: Record<string, number> = {};
  for (const resource of resources)
    if (!isRecordResource(resource)) records[resource] = await countExcludedSamples(source);
    else records[resource] = range === null ? 0 : await countExcludedRecords(resource, source, range);
  const providers = [...source.excluded].map(([provider, restrictions]) => ({ provider, restrictions }));
  return { providers, records };
}

export function describeExcluded({ providers, records }: Exclusions): string {
  const reasons = providers.map(({ provider, restrictions }) => `${provider} (${restrictions.join(', ')})`);
  const counts = Object.entries(records).map(([resource, count]) => `${resource} ${count}`);
  return `Excluded because of the terms of ${reasons.join(', ')}: ${counts.join(', ')}.`;
}

const BLOCKS_PER_PAGE = 500;

async function countExcludedSamples({ db, user, excluded }: ExportSource): Promise<number> {
  let count = 0;
  for (const { number, provider } of (await readSources(db, user)).values()) {
    if (!excluded.has(provider)) continue;
    const filter = { metric: null, device: number, interval: null };
    for (let after: Awaited<ReturnType<typeof listBlocks>>[number] | null = null; ; ) {
      const page: Awaited<ReturnType<typeof listBlocks>> = await listBlocks(db, user, filter, {
        after,
        limit: BLOCKS_PER_PAGE,
      });
      for (const block of page) count += block.count;
      after = page.at(-1) ?? null;
      if (page.length < BLOCKS_PER_PAGE) break;
    }
  }
  return count;
}
