// Reads the stored sample blocks of a user, decoded on request. For the operator only.

import { findMetric, getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { formatInstant, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone } from '../../../domain/time/day.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';
import { listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import {
  type BlockPosition,
  inspectBlock,
  type ListedBlock,
  listBlocks,
  readBlockPayload,
} from '../../store/samples/index.ts';
import { getUserForOperatorOrThrow, type UserHandle } from '../../tenancy/user-core/index.ts';

type BlockQuery = {
  readonly userId: string;
  readonly metric: string | null;
  /** A day in the user's time zone; selects blocks with a sample that reaches into it. */
  readonly date: LocalDate | null;
  readonly deviceId: string | null;
  readonly withSamples: boolean;
  readonly after: string | null;
};

type InspectedSample = {
  readonly start: string;
  readonly end: string;
  readonly value: number;
  readonly unit: string;
  readonly offsetMinutes: number;
  readonly method: string;
};

type OpenedBlock = ListedBlock & {
  readonly source: SourceDevice | null;
  readonly unit: string | null;
  /** Null: not requested, or unreadable. */
  readonly samples: readonly InspectedSample[] | null;
  readonly problem: string | null;
};

export type BlockPage = { readonly blocks: readonly OpenedBlock[]; readonly next: string | null };

const PAGE_BLOCKS = 1_000;
/** About 3 MB of reply. Blocks are not split, so a page may exceed this by one block. */
const PAGE_SAMPLES = 20_000;

export async function inspectBlocks({ db }: Pick<Services, 'db'>, query: BlockQuery): Promise<BlockPage> {
  const user = await getUserForOperatorOrThrow(db, query.userId);
  const devices = await listSourceDevices(db, user);
  const day = query.date === null ? null : createZone(user.timezone).dayOf(query.date);
  const listed = await listBlocks(
    db,
    user,
    {
      metric: query.metric === null ? null : parseMetric(query.metric),
      device: query.deviceId === null ? null : findDevice(devices, query.deviceId).number,
      interval: day && { fromMs: day.start, toMs: day.end },
    },
    { after: parsePosition(query.after), limit: PAGE_BLOCKS + 1 },
  );
  const page = query.withSamples ? takeSamples(listed) : listed.slice(0, PAGE_BLOCKS);
  const blocks: OpenedBlock[] = [];
  for (const block of page) {
    const samples = query.withSamples ? await readSamplesOf(db, user, block) : { samples: null, problem: null };
    blocks.push({ ...block, ...describe(block, devices), ...samples });
  }
  const last = page.at(-1);
  return { blocks, next: last === undefined || page.length === listed.length ? null : formatPosition(last) };
}

/** Takes at least one block. */
function takeSamples(listed: readonly ListedBlock[]): readonly ListedBlock[] {
  let samples = 0;
  const end = listed.findIndex(({ count }, index) => {
    samples += count;
    return index > 0 && samples > PAGE_SAMPLES;
  });
  return listed.slice(0, end < 0 ? PAGE_BLOCKS : end);
}

async function readSamplesOf(
  db: Services['db'],
  user: UserHandle,
  block: ListedBlock,
): Promise<Pick<OpenedBlock, 'samples' | 'problem'>> {
  const payload = await readBlockPayload(db, user, block);
  if (payload === null) return { samples: null, problem: 'deleted in the meantime' };
  try {
    const { samples, runs } = inspectBlock(payload);
    const traits = runs.flatMap(({ count, unit, offsetMinutes, method }) =>
      new Array<Pick<InspectedSample, 'unit' | 'offsetMinutes' | 'method'>>(count).fill({
        unit,
        offsetMinutes,
        method,
      }),
    );
    return {
      samples: samples.map((sample, index) => ({ ...sample, ...(traits[index] as (typeof traits)[number]) })),
      problem: null,
    };
  } catch (error) {
    return { samples: null, problem: (error as Error).message }; // inspecting damaged blocks is a purpose of this endpoint
  }
}

function describe({ metric, device }: ListedBlock, devices: readonly SourceDevice[]) {
  return {
    source: devices.find(({ number }) => number === device) ?? null,
    unit: metric === null ? null : getMetricOrThrow(metric).unit,
  };
}

function parseMetric(text: string): MetricId {
  const metric = findMetric(text);
  if (metric === null) throw invalid('metric', 'is not in the catalog');
  return metric.id;
}

function findDevice(devices: readonly SourceDevice[], id: string): SourceDevice {
  const device = devices.find((candidate) => candidate.id === id.toLowerCase());
  if (device === undefined) throw invalid('device', 'is not a device of this user');
  return device;
}

const POSITION = /^(\d{1,5})\.(-?\d{1,10})\.(\d{1,5})$/;

function parsePosition(text: string | null): BlockPosition | null {
  if (text === null) return null;
  const [, metricNumber, block, device] = POSITION.exec(text) ?? [];
  if (device === undefined) throw invalid('after', 'must be the next of an earlier reply');
  return { metricNumber: Number(metricNumber), block: Number(block), device: Number(device) as DeviceNumber };
}

function formatPosition({ metricNumber, block, device }: BlockPosition): string {
  return `${metricNumber}.${block}.${device}`;
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_parameter', { details: { issues: [{ path, message }] } });
}

export function presentBlock(block: OpenedBlock) {
  return {
    metric: block.metric ?? `#${block.metricNumber}`,
    unit: block.unit,
    device: presentSource(block.source, block.device),
    from: formatInstant(new Date(block.firstMs)),
    to: formatInstant(new Date(block.endMs)),
    count: block.count,
    min: block.min,
    max: block.max,
    sum: block.sum,
    revision: block.revision,
    bytes: block.storedBytes,
    problem: block.problem,
    samples:
      block.samples?.map(({ start, end, value, unit, offsetMinutes, method }) => ({
        start,
        end,
        value,
        unit,
        offset_minutes: offsetMinutes,
        recording_method: method,
      })) ?? null,
  };
}

function presentSource(source: SourceDevice | null, number: DeviceNumber) {
  return {
    number,
    id: source?.id ?? null,
    provider: source?.provider ?? null,
    device_class: source?.deviceClass ?? null,
  };
}
