// Receives an upload of a phone or a batch of an imported file: checks it, then stores, consolidates and emits events in one transaction. Once the call
// returns, the data is durable and visible to every read.
import { SCOPES } from '../../../domain/metrics/categories.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SdkSessionCaller } from '../../../platform/http/caller.ts';
import { type PackedBody, unpackSmallBody } from '../../../platform/http/packed-body.ts';
import type { Services } from '../../../platform/services.ts';
import { recordEvent } from '../../notify/events/index.ts';
import { enqueueRebuild, ingestParts } from '../../pipeline/ingest/index.ts';
import { queueEveryDay } from '../../pipeline/scoring/index.ts';
import { barOfSource, openSource, recordDeviceSync, type SourceDescription } from '../../store/devices/index.ts';
import { insertPayloads } from '../../store/raw-payloads/index.ts';
import { keepsRoutes } from '../../tenancy/accounts/index.ts';
import { recordUploadOfSession } from '../../tenancy/sdk-sessions/index.ts';
import { advanceRevision, recordSync, type UserHandle, withUserMutex } from '../../tenancy/user-core/index.ts';
import { changeAlone, changeInGroup } from './group-uploads.ts';
import { isShortWork } from './is-short-work.ts';
import { type BodyContext, type ReadUpload, readBody } from './read-body.ts';
import { readInThread } from './read-in-thread.ts';
import { insertUpload, readUpload } from './store.ts';
import { answerUpload, isEffective, refuseUpload, type UploadAnswer } from './upload-answer.ts';

/** Parsing this many bytes takes a millisecond or two, and most uploads are smaller. */
const SMALL_BYTES = 65_536;

export type UploadChange = {
  readonly source: Pick<SourceDescription, 'id' | 'name' | 'provider'>;
  readonly uploadId: string;
  readonly at: Date;
};

/** A phone's session, or an import, which has no session. */
type Uploader = Pick<
  SdkSessionCaller,
  'installationId' | 'scopes' | 'sessionCreatedAt' | 'sources' | 'tenant' | 'userId'
> & {
  readonly sessionId: string | null;
  /** Runs in the transaction that changes data; possibly twice, if the first is rolled back. */
  recordChange?(tx: Transaction, change: UploadChange): Promise<void>;
};

export type Context = {
  readonly services: Pick<
    Services,
    | 'clock'
    | 'db'
    | 'derivedSecrets'
    | 'jobs'
    | 'log'
    | 'metrics'
    | 'nodes'
    | 'settings'
    | 'shares'
    | 'threads'
    | 'userMutex'
  >;
  readonly caller: Uploader;
};

export function receiveUpload({ services, caller }: Context, body: PackedBody): Promise<UploadAnswer> {
  const { tenant, userId } = caller;
  // One upload of a user at a time, so that a repeated upload finds the first. Waiting uploads are still compressed.
  return withUserMutex(services, tenant, userId, () => {
    const context: Context = { services, caller };
    const small = unpackSmallBody(body, SMALL_BYTES);
    if (small !== null) return takeUpload(context, (bodyContext) => readSmallBody(small, bodyContext, caller));
    const read = async (bodyContext: BodyContext) => ({
      read: await readInThread(services.threads, tenant.accountId, body, bodyContext),
      change: changeAlone,
    });
    return services.shares.large_upload.run(tenant.accountId, () => takeUpload(context, read));
  });
}

/** A body that was read, and how to change data with it. */
type PreparedUpload = { readonly read: ReadUpload; readonly change: typeof changeInGroup };

/**
 * Prepares all parts at once, because a change in a group can run twice. The Citus node of a group has no accounts, which say whether routes are kept, and
 * no audit log, which imports write.
 */
async function readSmallBody(body: PackedBody, context: BodyContext, caller: Uploader): Promise<PreparedUpload> {
  const read = await readBody(body, context);
  const parts = [...read.parts];
  const isForGroup = isShortWork(parts) && read.rawWithoutRoutes === null && caller.recordChange === undefined;
  return { read: { ...read, parts }, change: isForGroup ? changeInGroup : changeAlone };
}

async function takeUpload(
  { services, caller }: Context,
  prepare: (context: BodyContext) => Promise<PreparedUpload>,
): Promise<UploadAnswer> {
  const { tenant, userId, sources } = caller;
  const scopes = SCOPES.filter((scope) => caller.scopes.includes(scope));
  const now = services.clock.now();
  const isRawKept = services.settings.rawRetentionDays > 0;
  const { read, change } = await prepare({ scopes, sources, now, isRawKept });
  const run = async (tx: Transaction, user: UserHandle | null) => {
    if (!user) throw new AppError('invalid_token');
    const earlier = await readUpload(tx, user, read.upload.uploadId);
    if (earlier !== null)
      return earlier.bodyHash.equals(read.bodyHash) ? earlier.answer : new AppError('upload_conflict');
    if (hasOnlyInvalidItems(read)) return refuse(tx, caller, user, read, now);
    return store(tx, services, caller, user, read, now).catch(keepDeviceLimit);
  };
  const answer = await change(services, { tenant, userId, run });
  if (answer instanceof AppError) throw answer; // not within the group, whose other uploads would run twice
  return answer;
}

/** Nothing is written before it is thrown, so the transaction of the group can be committed. */
function keepDeviceLimit(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'device_limit') return error;
  throw error;
}

function hasOnlyInvalidItems({ sent, rejectedCount }: ReadUpload): boolean {
  return rejectedCount > 0 && rejectedCount === Object.values(sent).reduce((sum, count) => sum + count);
}

const NOTHING_STORED = {
  accepted: 0,
  duplicates: 0,
  deleted: 0,
  refused: [],
  refusedSleep: 0,
  refusedWorkouts: 0,
  droppedRoutes: 0,
};

/** Creates no device and stores nothing; a retry is checked again. */
async function refuse(
  tx: Transaction,
  caller: Uploader,
  user: UserHandle,
  read: ReadUpload,
  now: Date,
): Promise<UploadAnswer> {
  if (caller.sessionId !== null) await recordUploadOfSession(tx, user, caller.sessionId, now);
  return answerUpload(read, NOTHING_STORED);
}

async function store(
  tx: Transaction,
  services: Pick<Services, 'derivedSecrets' | 'jobs'>,
  caller: Uploader,
  user: UserHandle,
  read: ReadUpload,
  now: Date,
): Promise<UploadAnswer> {
  const { upload, parts, bodyHash, raw, rawWithoutRoutes } = read;
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
  if (opened === null) return refuseUpload(read);
  const { device } = opened;
  if (opened.isNew) await recordEvent(tx, user, { type: 'device.connected', deviceId: device.id }, now);
  const result = await ingestParts(tx, user, opened, parts, { now, syncedAt: now });
  const answer = answerUpload(read, result);
  if (opened.isRenamed) await advanceRevision(tx, user);
  if (opened.isReclassified) {
    await enqueueRebuild(services.jobs, tx, user, 'choice');
    await queueEveryDay(tx, user, now);
  }
  if (opened.isNew || answer.accepted + answer.deleted > 0)
    await caller.recordChange?.(tx, { source: upload.source, uploadId: upload.uploadId, at: now });
  if (isEffective(answer) && raw !== null) {
    const hasRoutes = rawWithoutRoutes !== null && (await keepsRoutes(tx, user.tenant));
    const context = { scopes: caller.scopes, sources: caller.sources, ...(hasRoutes && { keepsRoutes: true }) };
    const [id, kind] = [upload.uploadId, 'sdk_upload' as const];
    const packed = hasRoutes ? raw : (rawWithoutRoutes ?? raw);
    await insertPayloads(tx, user, [{ id, device: device.number, kind, context, receivedAt: now, packed }]);
  }
  if (isEffective(answer)) {
    await insertUpload(tx, user, device.number, { bodyHash, answer }, now);
    await recordDeviceSync(tx, user, device.id, now);
    if (result.accepted + result.deleted === 0) await recordSync(tx, user, now); // otherwise recorded with the change
  }
  if (caller.sessionId !== null) await recordUploadOfSession(tx, user, caller.sessionId, now);
  return answer;
}
