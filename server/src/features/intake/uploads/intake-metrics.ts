// Prometheus metrics of what arrives: uploads of phones, batches of imports, and samples from all sources.
import { Counter, type Registry } from 'prom-client';

export type IntakeMetrics = {
  /** `rejected`: items were invalid, and no other had an effect. `failed`: an error of the service or the request. */
  countUpload(outcome: 'accepted' | 'rejected' | 'failed'): void;
  /** `split`: the group failed, and each upload ran in a transaction of its own. */
  countUploadGroup(outcome: 'stored' | 'split' | 'failed'): void;
  /** `source` is `upload` or the id of a provider. */
  countSamples(source: string, outcome: 'accepted' | 'duplicate' | 'rejected', count: number): void;
};

export function registerIntakeMetrics(registry: Registry): IntakeMetrics {
  const registers = [registry];
  const uploads = new Counter({
    name: 'tributary_uploads_total',
    help: 'Uploads of phones and batches of imports, by outcome; rejected: items were invalid and no other was stored, deleted or a duplicate, failed: the upload was not stored (this process)',
    labelNames: ['outcome'],
    registers,
  });
  const groups = new Counter({
    name: 'tributary_upload_groups_total',
    help: 'Groups of uploads that share a transaction, by outcome; split: each upload then ran in its own transaction (this process)',
    labelNames: ['outcome'],
    registers,
  });
  const samples = new Counter({
    name: 'tributary_samples_total',
    help: 'Samples, daily values and sessions received, by source (upload or a provider) and outcome (this process)',
    labelNames: ['source', 'outcome'],
    registers,
  });
  for (const outcome of ['accepted', 'rejected', 'failed']) uploads.labels(outcome).inc(0);
  for (const outcome of ['stored', 'split', 'failed']) groups.labels(outcome).inc(0);
  return {
    countUpload: (outcome) => uploads.labels(outcome).inc(),
    countUploadGroup: (outcome) => groups.labels(outcome).inc(),
    countSamples: (source, outcome, count) => samples.labels(source, outcome).inc(count),
  };
}
