// One upload of a phone: checked, then stored, chosen from and told of in one transaction. When it is answered, all of it is
// durable and every read sees it.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { SdkSessionCaller } from '../../platform/http/caller.ts';
import type { PackedJson } from '../../platform/http/packed-body.ts';
import type { Services } from '../../platform/services.ts';
import { barOfSource, openSource, recordDeviceSync } from '../devices/index.ts';
import { recordEvent } from '../events/index.ts';
import { enqueueRebuild, ingest } from '../pipeline/index.ts';
import { insertPayloads, packPayload } from '../raw-payloads/index.ts';
import { recordUploadOfSession } from '../sdk-sessions/index.ts';
import { advanceRevision, changeUser, recordSync, type UserHandle } from '../subjects/index.ts';
import { parseUpload, type UploadResult } from './parse-upload.ts';
import { insertUpload, readUpload } from './store.ts';
import { answerUpload, refuseUpload, type UploadAnswer } from './upload-answer.ts';

type Received = {
  readonly parsed: UploadResult;
  readonly json: unknown;
  readonly bodyHash: Buffer;
  /** Null where no raw layer is kept. */
  readonly packed: Buffer | null;
  readonly now: Date;
};

export async function receiveUpload(
  { services, caller }: { services: Services; caller: SdkSessionCaller },
  { json, bytes }: PackedJson,
): Promise<UploadAnswer> {
  const now = services.clock.now();
  const parsed = parseUpload(json, { scopes: caller.scopes, sources: caller.sources, now });
  const isKept = services.settings.rawRetentionDays > 0;
  const received: Received = {
    parsed,
    json,
    bodyHash: createHash('sha256').update(bytes).digest(),
    packed: isKept ? await packPayload(bytes) : null,
    now,
  };
  // Uploads of one person take turns, so a repeated one always finds the first.
  return changeUser(services, caller.tenant, caller.userId, async (tx, locked) => {
    if (!locked) throw new AppError('invalid_token');
    const earlier = await readUpload(tx, locked.handle, parsed.upload.uploadId);
    if (earlier === null) return store(tx, services, caller, locked.handle, received);
    if (!earlier.bodyHash.equals(received.bodyHash)) throw new AppError('upload_conflict');
    return earlier.answer;
  });
}

async function store(
  tx: Transaction,
  services: Services,
  caller: SdkSessionCaller,
  user: UserHandle,
  { parsed, json, bodyHash, packed, now }: Received,
): Promise<UploadAnswer> {
  const { upload } = parsed;
  const opened = await openSource(
    tx,
    user,
    {
      source: upload.source,
      observedZone: upload.timezone,
      installationId: caller.installationId,
      sessionCreatedAt: caller.sessionCreatedAt,
      barOf: (identity) => barOfSource(services.derivedSecrets, user, identity),
    },
    now,
  );
  if (opened === null) return refuseUpload(upload.uploadId, json);
  const { device } = opened;
  if (opened.isNew) await recordEvent(tx, user, { type: 'device.connected', deviceId: device.id }, now);
  const answer = answerUpload(parsed, await ingest(tx, user, opened, upload, now));
  if (opened.isRenamed) await advanceRevision(tx, user);
  if (opened.isReclassified) await enqueueRebuild(services.jobs, tx, user, 'choice');
  if (packed !== null) {
    const context = { scopes: caller.scopes, sources: caller.sources };
    const [id, kind] = [upload.uploadId, 'sdk_upload' as const];
    await insertPayloads(tx, user, [{ id, device: device.number, kind, context, receivedAt: now, packed }]);
  }
  await insertUpload(tx, user, device.number, { bodyHash, answer }, now);
  if (answer.accepted + answer.duplicates + answer.deleted > 0) {
    await recordDeviceSync(tx, user, device.id, now);
    await recordSync(tx, user, now);
  }
  await recordUploadOfSession(tx, caller.sessionId, now);
  return answer;
}
