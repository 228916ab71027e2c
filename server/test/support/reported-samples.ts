// The samples of a page as a list.
import type { MetricId } from '../../src/domain/metrics/index.ts';
import { samplesOfColumns } from '../../src/domain/packed/sample-blocks/index.ts';
import type { Sample } from '../../src/domain/records/records.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';

export function listReported({ samples }: Pick<ProviderRecords, 'samples'>, metric: string): Sample[] {
  const reported = samples.get(metric as MetricId);
  return reported === undefined ? [] : samplesOfColumns(reported);
}
