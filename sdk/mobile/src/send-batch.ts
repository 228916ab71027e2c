// Sends the uploads of the sealed batch and applies the answers. Every step can be repeated after a crash.
import type { MobileEvent, StopReason } from './events.ts';
import type { Gzip } from './gzip.ts';
import { type Answer, type Http, request } from './http.ts';
import type { IdIndex } from './id-index.ts';
import type { Parked, ParkedItem, ParkedItems } from './parked-items.ts';
import type { Entry, Queue, SealedUpload, UploadBatch } from './queue.ts';
import { findRefused } from './seal.ts';
import type { Session, SessionProblem } from './session.ts';
import type { Item, UploadReply } from './upload.ts';

export type Sender = {
  readonly baseUrl: string;
  readonly http: Http;
  readonly session: Session;
  readonly queue: Queue;
  readonly parked: ParkedItems;
  readonly index: IdIndex;
  readonly gzip: Gzip | null;
  readonly signal: AbortSignal;
  emit(event: MobileEvent): void;
};

export type SendResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterMs: number | null }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  /** The body is too large: seal again with fewer than `items`, which are at least 2. */
  | { readonly kind: 'too_large'; readonly items: number }
  /** The service does not know the time zone, which the phone may have learned since: seal again without it. */
  | { readonly kind: 'unknown_timezone' }
  /** The id was used for another body: seal again with a new one. */
  | { readonly kind: 'conflict'; readonly reason: string };

/** Compressing less than this costs more than it saves. */
const MIN_GZIP_LENGTH = 1_024;

export async function sendBatch(sender: Sender, batch: UploadBatch): Promise<SendResult> {
  let isHeld = false;
  let hasProgress = false;
  for (let index = 0; index < batch.uploads.length; index += 1) {
    const upload = batch.uploads[index] as SealedUpload;
    const answer = await sendUpload(sender, upload);
    if ('stop' in answer) return answer.stop;
    const result = await applyAnswer(sender, batch, index, answer.answer);
    if (result.kind === 'held') isHeld = true;
    else if (result.kind === 'done') hasProgress = true;
    else return result;
  }
  await sender.index.write(batch);
  await sender.queue.finish(batch);
  return isHeld && !hasProgress ? { kind: 'transient', reason: 'over_limit', retryAfterMs: null } : { kind: 'done' };
}

/** A 401 means that the access token ended: refresh once, then send the same bytes again. */
async function sendUpload(sender: Sender, upload: SealedUpload): Promise<{ answer: Answer } | { stop: SendResult }> {
  let rejected: string | undefined;
  for (;;) {
    const access = await sender.session.access(sender.signal, rejected);
    if (!('accessToken' in access)) return { stop: toSendResult(access) };
    const answer = await post(sender, upload, access.accessToken);
    if (answer.kind !== 'refused' || answer.status !== 401) return { answer };
    if (rejected !== undefined) return { stop: { kind: 'transient', reason: answer.code, retryAfterMs: null } };
    rejected = access.accessToken;
  }
}

async function post(sender: Sender, { body }: SealedUpload, accessToken: string): Promise<Answer> {
  const { baseUrl, http, gzip, signal } = sender;
  const packed = gzip !== null && body.length >= MIN_GZIP_LENGTH ? await gzip(body) : null;
  const headers = {
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    ...(packed && { 'content-encoding': 'gzip' }),
  };
  const init = { method: 'POST', headers, body: packed ?? body };
  return request(http, `${baseUrl}/v1/sdk/uploads`, init, signal);
}

/** Refusals that concern the whole account; the data stays in the queue. */
const ACCOUNT_CODES = new Set(['account_closed', 'sandbox_disabled', 'insufficient_scope']);

/** Every item of the upload is over a limit and in the queue again. */
type Held = { readonly kind: 'held' };

async function applyAnswer(
  sender: Sender,
  batch: UploadBatch,
  index: number,
  answer: Answer,
): Promise<SendResult | Held> {
  const upload = batch.uploads[index] as SealedUpload;
  const count = upload.items.length + upload.deletions.length;
  if (answer.kind === 'transient') return answer.isTooLarge && count > 1 ? { kind: 'too_large', items: count } : answer;
  if (answer.kind === 'refused') {
    if (ACCOUNT_CODES.has(answer.code)) return { kind: 'stopped', reason: 'refused' };
    if (answer.code === 'upload_conflict') return { kind: 'conflict', reason: answer.code };
    if (isUnknownTimezone(upload, answer.details)) return { kind: 'unknown_timezone' };
    if (answer.status === 413 && count > 1) return { kind: 'too_large', items: count };
    await parkAll(sender, batch, index, answer);
    return { kind: 'done' };
  }
  const reply = parseReply(answer.body, upload.uploadId);
  if (reply === null) return { kind: 'transient', reason: 'unreadable answer', retryAfterMs: null };
  const held = await keepRejected(sender, batch, index, reply);
  const { accepted, duplicates, deleted, rejected_count: rejected } = reply;
  const pending = sender.queue.pending();
  sender.emit({ type: 'uploaded', uploadId: upload.uploadId, accepted, duplicates, deleted, rejected, pending });
  return { kind: held > 0 && held === count ? 'held' : 'done' };
}

/**
 * `over_limit` items are sent again in the next batch, before anything newer; returns how many. All other rejected items are
 * parked, once each: an answer names single items first, then lists.
 */
async function keepRejected(sender: Sender, batch: UploadBatch, index: number, reply: UploadReply): Promise<number> {
  const upload = batch.uploads[index] as SealedUpload;
  const parked: ParkedItem[] = [];
  const again: Item[] = [];
  const known = new Set<unknown>();
  for (const { path, error, message } of reply.rejected)
    for (const item of findRefused(upload, path)) {
      if (known.has(item.value)) continue;
      known.add(item.value);
      if (error === 'over_limit' && item.list !== 'deleted') again.push(item);
      else parked.push({ item, error, message });
    }
  await park(sender, batch, index, { source: upload.source, items: parked });
  if (again.length === 0) return 0;
  const entry: Entry = { kind: 'items', queuedAtMs: 0, source: upload.source, items: again };
  await sender.queue.returnToFront(batch, index, entry);
  return again.length;
}

function isUnknownTimezone({ body }: SealedUpload, details: unknown): boolean {
  const { issues } = (details ?? {}) as { readonly issues?: unknown };
  const isNamed = Array.isArray(issues) && issues.some((issue) => issue?.path === 'timezone');
  return isNamed && (JSON.parse(body) as { readonly timezone?: string }).timezone !== undefined;
}

type Refusal = { readonly code: string; readonly message: string };

async function parkAll(sender: Sender, batch: UploadBatch, index: number, { code, message }: Refusal): Promise<void> {
  const { source, items, deletions } = batch.uploads[index] as SealedUpload;
  const refused = [...items, ...deletions.map((value) => ({ list: 'deleted' as const, value }))];
  await park(sender, batch, index, { source, items: refused.map((item) => ({ item, error: code, message })) });
}

async function park(sender: Sender, batch: UploadBatch, index: number, parked: Parked): Promise<void> {
  const [first] = parked.items;
  if (first === undefined) return;
  const dropped = await sender.parked.add(batch, index, parked);
  sender.emit({ type: 'parked', items: parked.items.length, error: first.error, message: first.message });
  if (dropped > 0) sender.emit({ type: 'dropped', items: dropped });
}

function parseReply(body: Record<string, unknown>, uploadId: string): UploadReply | null {
  const { upload_id, accepted, duplicates, deleted, rejected, rejected_count } = body;
  const counts = [accepted, duplicates, deleted, rejected_count];
  const isReply = upload_id === uploadId && Array.isArray(rejected) && counts.every((n) => typeof n === 'number');
  return isReply ? (body as UploadReply) : null;
}

function toSendResult(problem: SessionProblem): SendResult {
  if (problem.kind === 'transient') return problem;
  return { kind: 'stopped', reason: problem.kind };
}
