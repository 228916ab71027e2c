// Receives an upload and counts it in the metrics and in the usage of the account.
import type { PackedBody } from '../../../platform/http/packed-body.ts';
import type { Services } from '../../../platform/services.ts';
import { type Context, receiveUpload } from './receive-upload.ts';
import { isEffective, type UploadAnswer } from './upload-answer.ts';

const FAILED = { n: 1, bad: 1, ms: 0 };

export async function receiveCountedUpload(
  context: Context & { services: Pick<Services, 'metrics' | 'usage'> },
  body: PackedBody,
): Promise<UploadAnswer> {
  const { metrics, usage } = context.services;
  const { tenant } = context.caller;
  try {
    const answer = await receiveUpload(context, body);
    const { accepted, duplicates, rejected_count: rejected } = answer;
    const isRejected = rejected > 0 && !isEffective(answer);
    metrics.countUpload(isRejected ? 'rejected' : 'accepted');
    metrics.countSamples('upload', 'accepted', accepted);
    metrics.countSamples('upload', 'duplicate', duplicates);
    metrics.countSamples('upload', 'rejected', rejected);
    usage.count(tenant, 'upload', '', { n: 1, bad: isRejected ? 1 : 0, ms: 0 });
    usage.count(tenant, 'reading', '', { n: accepted + rejected, bad: rejected, ms: 0 });
    return answer;
  } catch (error) {
    metrics.countUpload('failed');
    usage.count(tenant, 'upload', '', FAILED);
    throw error;
  }
}
