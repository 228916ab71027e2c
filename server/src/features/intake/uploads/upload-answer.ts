// Builds the reply to an upload. Pure.
import type { IngestResult } from '../../pipeline/ingest/index.ts';
import { MAX_SESSIONS_OF_DAY } from '../../store/session-store/index.ts';
import { UPLOAD_LISTS } from './parse-envelope.ts';
import type { ReadUpload } from './read-body.ts';
import { MAX_NAMED_REJECTS, type Reject } from './reject.ts';

export type UploadAnswer = {
  readonly upload_id: string;
  readonly accepted: number;
  readonly duplicates: number;
  readonly deleted: number;
  readonly rejected: readonly Reject[];
  readonly rejected_count: number;
  /** Only if there are any. */
  readonly routes_not_kept?: number;
};

type Read = Pick<ReadUpload, 'upload' | 'rejected' | 'rejectedCount' | 'sent'>;

export function answerUpload({ upload, rejected, rejectedCount }: Read, result: IngestResult): UploadAnswer {
  const refused = listRefused(result);
  return {
    upload_id: upload.uploadId,
    accepted: upload.replaced + result.accepted,
    duplicates: upload.duplicates + result.duplicates,
    deleted: result.deleted,
    rejected: [...rejected, ...refused.map(({ count: _, ...reject }) => reject)].slice(0, MAX_NAMED_REJECTS),
    rejected_count: rejectedCount + refused.reduce((sum, { count }) => sum + count, 0),
    ...(result.droppedRoutes > 0 && { routes_not_kept: result.droppedRoutes }),
  };
}

/** An item was stored, deleted or known before. Other uploads leave no trace, so that a retry is checked again. */
export function isEffective({ accepted, duplicates, deleted }: UploadAnswer): boolean {
  return accepted + duplicates + deleted > 0;
}

/** Items beyond the limits of stored data, counted per list, because the item that exceeds a limit depends on stored data. */
function listRefused({ refused, refusedSleep, refusedWorkouts }: IngestResult): (Reject & { count: number })[] {
  const tooDense = (path: string, count: number, message: string) =>
    count === 0 ? [] : [{ path, error: 'too_dense' as const, message, count }];
  const ofDay = `would exceed ${MAX_SESSIONS_OF_DAY} that start on one UTC day for this user`;
  return [
    ...refused.flatMap(({ metric, count }) =>
      tooDense('samples', count, `${count} samples of ${metric} would exceed 216,000 within six hours`),
    ),
    ...tooDense('sleep', refusedSleep, `${refusedSleep} sleeps ${ofDay}`),
    ...tooDense('workouts', refusedWorkouts, `${refusedWorkouts} workouts ${ofDay}`),
  ];
}

/** Rejects every item of a deleted source. The reply is not stored, so that a retry with a new session can succeed. */
export function refuseUpload({ upload, sent }: Read): UploadAnswer {
  const lists = UPLOAD_LISTS.map((list) => ({ list, count: sent[list] }));
  const rejected: Reject[] = [];
  for (const { list, count } of lists) {
    for (let index = 0; index < count && rejected.length < MAX_NAMED_REJECTS; index += 1) {
      const message =
        'the source was disconnected; to connect it again, revoke the current SDK session and create a new one';
      rejected.push({ path: `${list}[${index}]`, error: 'device_disconnected', message });
    }
  }
  return {
    upload_id: upload.uploadId,
    accepted: 0,
    duplicates: 0,
    deleted: 0,
    rejected,
    rejected_count: lists.reduce((sum, { count }) => sum + count, 0),
  };
}
