// Exports every sample of every device, run by run as stored.

import { type SampleColumns, type SampleRun, sliceColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import {
  type BlockPosition,
  type ListedBlock,
  listBlocks,
  readBlockPayload,
  unpackBlock,
} from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { writeItems } from './write-list.ts';

const BLOCKS_PER_PAGE = 500;

export async function* exportSamples(
  db: Queryable,
  user: UserHandle,
  nameDevice: (device: DeviceNumber) => object,
): AsyncGenerator<string | Pieces> {
  const everything = { metric: null, device: null, interval: null };
  let after: BlockPosition | null = null;
  do {
    const blocks: ListedBlock[] = await listBlocks(db, user, everything, { after, limit: BLOCKS_PER_PAGE });
    for (const block of blocks) {
      const payload = await readBlockPayload(db, user, block);
      if (payload === null) continue; // deleted since it was listed
      const head = { ...nameDevice(block.device), metric: block.metric ?? `#${block.metricNumber}` };
      const columns = open(payload);
      if (columns === null) yield JSON.stringify({ ...head, unreadable: payload.toString('hex') });
      else for (const [run, part] of listRuns(columns)) yield writeRun({ ...head, ...describe(run) }, part);
    }
    after = blocks.length < BLOCKS_PER_PAGE ? null : (blocks.at(-1) ?? null);
  } while (after !== null);
}

/** Null: the block is damaged. The export then contains its bytes and continues. */
function open(payload: Buffer): SampleColumns | null {
  try {
    return unpackBlock(payload);
  } catch {
    return null;
  }
}

function* listRuns(columns: SampleColumns): Generator<[SampleRun, SampleColumns]> {
  let from = 0;
  for (const run of columns.runs) {
    yield [run, sliceColumns(columns, from, from + run.count)];
    from += run.count;
  }
}

function describe({ unit, offsetMinutes, method }: SampleRun) {
  return { unit, utc_offset_minutes: offsetMinutes, recording_method: method };
}

async function* writeRun(head: object, { starts, ends, values }: SampleColumns): Pieces {
  yield `${JSON.stringify(head).slice(0, -1)},"samples":`;
  const time = (ms: number | undefined) => `"${formatInstant(new Date(ms as number))}"`;
  yield* writeItems(
    starts.keys(),
    (index) => `[${time(starts[index])},${time((ends ?? starts)[index])},${values[index]}]`,
  );
  yield '}';
}
