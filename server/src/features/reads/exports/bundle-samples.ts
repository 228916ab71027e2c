// The samples of a bundle: those of each device as it reported them.

import { type SampleColumns, sliceColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { MAX_SAMPLES_PER_LINE } from '../../intake/imports/index.ts';
import { type BlockPosition, listBlocks, readBlockPayload, unpackBlock } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

const BLOCKS_PER_PAGE = 500;
/** Some queries at once hide the way to the database; more would take connections from other calls. */
const READ_AT_ONCE = 4;

type SampleLine = { readonly line: 'samples'; readonly device: number };

export async function* listBundleSamples(db: Queryable, user: UserHandle): AsyncGenerator<SampleLine> {
  const everything = { metric: null, device: null, interval: null };
  let after: BlockPosition | null = null;
  do {
    const blocks: Awaited<ReturnType<typeof listBlocks>> = await listBlocks(db, user, everything, {
      after,
      limit: BLOCKS_PER_PAGE,
    });
    for (let from = 0; from < blocks.length; from += READ_AT_ONCE) {
      const part = blocks.slice(from, from + READ_AT_ONCE);
      const payloads = await Promise.all(part.map((block) => readBlockPayload(db, user, block)));
      for (const [index, { metric, device }] of part.entries()) {
        const payload = payloads[index];
        if (!payload || metric === null) continue; // deleted since it was listed, or of a later version
        for (const run of listRuns(unpackBlock(payload)))
          yield { line: 'samples', device, metric, ...run } as SampleLine;
      }
    }
    after = blocks.length < BLOCKS_PER_PAGE ? null : (blocks.at(-1) ?? null);
  } while (after !== null);
}

function* listRuns(columns: SampleColumns): Generator<object> {
  let from = 0;
  for (const { count, unit, offsetMinutes, method } of columns.runs) {
    const end = from + count;
    for (; from < end; from = Math.min(from + MAX_SAMPLES_PER_LINE, end)) {
      const { starts, ends, values } = sliceColumns(columns, from, Math.min(from + MAX_SAMPLES_PER_LINE, end));
      yield {
        unit,
        utc_offset_minutes: offsetMinutes,
        recording_method: method,
        start: Array.from(starts),
        ...(ends === null ? {} : { end: Array.from(ends) }),
        value: Array.from(values),
      };
    }
  }
}
