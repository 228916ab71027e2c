// Reads the samples of each device for a chart. Long ranges come from the summaries of blocks.
import { isAdditive, type Metric } from '../../../domain/metrics/index.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { listSourceLabels, type SourceLabel } from '../../store/devices/index.ts';
import { type BlockSummary, normalizedSeries, readSamples, summarizeBlocks } from '../../store/samples/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';
import { type ChartColumns, chartColumnsOfBuckets, chartColumnsOfSamples, type Part } from './bucket-columns.ts';
import { type ColumnPlan, planColumns } from './plan-columns.ts';

export type ColumnsQuery = {
  readonly userId: string;
  readonly metric: Metric;
  readonly fromMs: number;
  readonly toMs: number;
  readonly points: number;
};
type DeviceColumns = {
  readonly number: DeviceNumber;
  readonly id: DeviceId | null;
  readonly provider: string | null;
  readonly name: string | null;
  /** Samples behind the columns. */
  readonly count: number;
  readonly columns: ChartColumns;
};
export type SampleColumnsRead = {
  readonly query: ColumnsQuery;
  readonly plan: ColumnPlan;
  readonly devices: readonly DeviceColumns[];
};

export async function readSampleColumns(context: ReadContext, query: ColumnsQuery): Promise<SampleColumnsRead> {
  const { metric, fromMs, toMs, points } = query;
  const user = await openForRead(context, query.userId);
  const [labels, blocks] = await Promise.all([
    listSourceLabels(context.services.db, user),
    summarizeBlocks(context.services.db, user, metric.id, fromMs, toMs),
  ]);
  const plan = planColumns(
    toMs - fromMs,
    blocks.reduce((sum, { count }) => sum + count, 0),
    points,
  );
  const isSummary = plan.by === 'bucket' && plan.isSummary;
  const found = isSummary
    ? collectSummaries(blocks, metric, plan.stepMs)
    : await readDevices(context, user, query, plan);
  return { query, plan, devices: found.map((device) => ({ ...device, ...describe(labels, device.number) })) };
}

type Found = Pick<DeviceColumns, 'number' | 'count' | 'columns'>;

function collectSummaries(blocks: readonly BlockSummary[], metric: Metric, stepMs: number): Found[] {
  const options = { stepMs, isTotal: isAdditive(metric), decimals: metric.decimals };
  return [...Map.groupBy(blocks, ({ device }) => device)].map(([number, ofDevice]) => ({
    number,
    count: ofDevice.reduce((sum, { count }) => sum + count, 0),
    columns: chartColumnsOfBuckets(
      ofDevice.map(({ beginMs, ...values }) => ({ atMs: beginMs, ...values })),
      options,
    ),
  }));
}

async function readDevices(
  { services }: ReadContext,
  user: UserHandle,
  { metric, fromMs, toMs }: ColumnsQuery,
  plan: ColumnPlan,
): Promise<Found[]> {
  const samples = await readSamples(services.db, user, [{ metric: metric.id, fromMs, toMs }]);
  return [...(samples.get(metric.id) ?? [])].map(([number, columns]) => {
    const { starts, values } = normalizedSeries(metric, columns);
    const options = { isTotal: isAdditive(metric), decimals: metric.decimals };
    return {
      number,
      count: starts.length,
      columns:
        plan.by === 'sample'
          ? chartColumnsOfSamples(starts, values, metric.decimals)
          : chartColumnsOfBuckets(listParts(starts, values), { stepMs: plan.stepMs, ...options }),
    };
  });
}

function* listParts(starts: ArrayLike<number>, values: ArrayLike<number>): Generator<Part> {
  for (let index = 0; index < starts.length; index += 1) {
    const value = values[index] as number;
    yield { atMs: starts[index] as number, min: value, max: value, sum: value };
  }
}

function describe(labels: readonly SourceLabel[], number: DeviceNumber) {
  const label = labels.find((one) => one.number === number);
  return { id: label?.id ?? null, provider: label?.provider ?? null, name: label?.name ?? label?.model ?? null };
}
