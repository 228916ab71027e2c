// The phone's side of uploads: a durable queue, a session that renews itself, and a flush that can be interrupted at any moment.
import { ABORTED, unlessAborted } from './abort.ts';
import { createClearableStorage } from './clearable-storage.ts';
import type { MobileEvent, StopReason } from './events.ts';
import { builtInGzip, type Gzip } from './gzip.ts';
import type { Fetch, Http } from './http.ts';
import { createIdIndex, DEFAULT_INDEX_BYTES } from './id-index.ts';
import { createParkedItems, DEFAULT_PARKED_BYTES, type Parked } from './parked-items.ts';
import {
  countItems,
  DEFAULT_QUEUE_BYTES,
  type Entry,
  numberOfKey,
  openQueue,
  type Queue,
  type UploadBatch,
} from './queue.ts';
import { randomUuid, strongRandom } from './random-id.ts';
import { DEFAULT_RETRY, type RetryPolicy, retryDelayMs } from './retry.ts';
import { type Automatic, createSchedule } from './schedule.ts';
import { type BatchLimits, completeLimits, sealDeletions, sealItems, splitEntries } from './seal.ts';
import { type Sender, sendBatch } from './send-batch.ts';
import { createSession, installationId } from './session.ts';
import type { Storage } from './storage.ts';
import type { Changes } from './upload.ts';

export type MobileOptions = {
  /** Of the Tributary service, such as `https://health.example.com`. */
  readonly baseUrl: string;
  readonly storage: Storage;
  readonly platform: 'ios' | 'android';
  /**
   * Returns a new client or mobile token from your backend; called when the installation has no session, and when its session ended.
   * Return null if nobody is signed in.
   */
  readonly getToken: () => Promise<string | null>;
  readonly onEvent?: (event: MobileEvent) => void;
  /** IANA name of the phone's time zone; recorded by the service. */
  readonly timezone?: string;
  /** Sends when the queue has this much or its oldest item is this old. Default: 1,000 items, 30 seconds; null: only `flush()` sends. */
  readonly automatic?: Automatic | null;
  readonly limits?: Partial<BatchLimits>;
  readonly retry?: Partial<RetryPolicy>;
  /** Of unsent changes. `enqueue` rejects changes that would exceed it with a `QueueFullError`. Default: 32 MB. */
  readonly maxQueueBytes?: number;
  /** Of what the service refused; the oldest are dropped first, with an event. Default: 4 MB. */
  readonly maxParkedBytes?: number;
  /** For deletions by platform id; the oldest records are forgotten first. Default: 16 MB. */
  readonly maxIndexBytes?: number;
  readonly timeoutMs?: number;
  /** Default: CompressionStream if the runtime has it. Null: never compress. */
  readonly gzip?: Gzip | null;
  readonly fetch?: Fetch;
  readonly now?: () => number;
  readonly random?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Of all keys in the storage. */
  readonly prefix?: string;
};

export type FlushResult = { readonly pending: number; readonly stopped: StopReason | null };

type Anchor = { readonly name: string; readonly value: string };

export type MobileClient = {
  /**
   * Resolves when the changes are durable on this phone. Save the platform's anchor or change token after that, best with `anchor`.
   * Rejects with a `QueueFullError` if the queue has no room: nothing of them is stored, and the anchor is unchanged.
   */
  enqueue(changes: Changes, anchor?: Anchor): Promise<void>;
  /** The anchor or token stored with the last `enqueue` of that name. */
  readAnchor(name: string): Promise<string | null>;
  /**
   * Sends everything. Rejects only if the storage fails. An aborted `signal` ends the wait at once, and the running request if no other
   * caller waits for the same flush.
   */
  flush(options?: { readonly signal?: AbortSignal }): Promise<FlushResult>;
  pending(): Promise<number>;
  /** Items that the service rejected permanently, with the reasons. */
  listParked(): Promise<readonly (Parked & { readonly key: string })[]>;
  /**
   * Queues parked items again, for example after a new session gave back a disconnected source. Rejects with a `QueueFullError` if
   * the queue has no room; they stay parked.
   */
  retryParked(key: string): Promise<void>;
  discardParked(key: string): Promise<void>;
  /** Send it to your backend for `POST /v1/users/{id}/sdk-sessions`. */
  installationId(): Promise<string>;
  /**
   * The person signs out: ends a running flush, revokes the session if the service can be reached, and removes everything from the phone.
   * Until it resolves, `enqueue` and `retryParked` reject and `flush` waits. If the process ends before, the next one removes the rest.
   */
  reset(): Promise<void>;
};

const DEFAULT_TIMEOUT_MS = 60_000;

export function createMobileClient(options: MobileOptions): MobileClient {
  const prefix = options.prefix ?? 'tributary/';
  const random = options.random ?? strongRandom;
  const newId = () => randomUuid(random);
  const now = options.now ?? Date.now;
  const limits = completeLimits(options.limits ?? {});
  const retry = { ...DEFAULT_RETRY, ...options.retry };
  const sleep = options.sleep ?? wait;
  const { storage, beginClear, clear } = createClearableStorage(options.storage, prefix);
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const http: Http = {
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    now,
  };
  const emit = (event: MobileEvent) => {
    try {
      options.onEvent?.(event);
    } catch {
      // A listener that throws must not stop an upload.
    }
  };
  const session = createSession({ ...options, storage, baseUrl, http, prefix, newId });
  const index = createIdIndex(storage, prefix, options.maxIndexBytes ?? DEFAULT_INDEX_BYTES);
  const parked = createParkedItems(storage, prefix, options.maxParkedBytes ?? DEFAULT_PARKED_BYTES);
  const maxBytes = options.maxQueueBytes ?? DEFAULT_QUEUE_BYTES;
  const gzip = options.gzip === undefined ? builtInGzip() : options.gzip;
  let context = { timezone: options.timezone ?? null, newId };
  let maxItems = limits.maxItems;
  let opening: Promise<Queue> | null = null;
  let running: Run | null = null;
  let failedFlushes = 0;
  let resetting: Promise<void> | null = null;
  const changing = new Set<Promise<void>>();
  const schedule = createSchedule(options.automatic, () => void flush().catch(() => undefined));

  function open(): Promise<Queue> {
    opening ??= openQueue({ storage, prefix, maxBytes, newId }).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  async function nextBatch(queue: Queue): Promise<UploadBatch | null> {
    const sealed = await queue.readBatch();
    if (sealed !== null) return sealed;
    const made = await makeBatch(queue);
    return made === null ? null : queue.seal(made);
  }

  async function makeBatch(queue: Queue): Promise<Omit<UploadBatch, 'page'> | null> {
    const taken = await takeEntries(queue, { ...limits, maxItems });
    const [first] = taken;
    if (first === undefined) return null;
    const base = { number: numberOfKey(first.key), entries: taken.map(({ key }) => key), deletedIds: [] };
    const entries = taken.map(({ entry }) => entry);
    if (first.entry.kind === 'items') {
      const items = entries.filter((entry) => entry.kind === 'items');
      return { ...base, uploads: sealItems(items, context) };
    }
    if (first.entry.kind === 'deletions')
      return {
        ...base,
        uploads: sealDeletions(
          entries.filter((entry) => entry.kind === 'deletions'),
          { ...limits, maxItems },
          context,
        ),
      };
    const ids = entries.flatMap((entry) => (entry.kind === 'ids' ? entry.ids : []));
    const { found, resolved, forgotten } = await index.resolve(ids);
    if (forgotten > 0) emit({ type: 'forgotten', ids: forgotten });
    return { ...base, deletedIds: found, uploads: sealDeletions(resolved, { ...limits, maxItems }, context) };
  }

  async function run(signal: AbortSignal): Promise<FlushResult> {
    const queue = await open();
    const sender: Sender = { baseUrl, http, session, queue, parked, index, gzip, signal, emit };
    const stop = (reason: StopReason): FlushResult => {
      emit({ type: 'stopped', reason });
      return { pending: queue.pending(), stopped: reason };
    };
    let failures = 0;
    for (;;) {
      if (signal.aborted) return stop('aborted');
      const batch = await nextBatch(queue);
      if (batch === null) break;
      const result = await sendBatch(sender, batch);
      if (result.kind === 'stopped') return stop(result.reason);
      if (result.kind === 'done') {
        failures = 0;
        maxItems = Math.min(limits.maxItems, maxItems * 2);
      } else if (result.kind === 'unknown_timezone') {
        context = { ...context, timezone: null };
        await queue.unseal();
      } else if (result.kind === 'too_large') {
        // Below the number of items that was refused, so that this ends: one item is not divided but parked.
        maxItems = Math.floor(Math.min(maxItems, result.items) / 2) || 1;
        await divideEntries(queue, batch, maxItems);
        await queue.unseal();
      } else {
        if (result.kind === 'conflict') await queue.unseal();
        if (signal.aborted) continue;
        failures += 1;
        if (failures >= retry.attempts) return stop('unreachable');
        const retryAfterMs = result.kind === 'transient' ? result.retryAfterMs : null;
        const delayMs = retryDelayMs(retry, failures, retryAfterMs, random());
        emit({ type: 'waiting', reason: result.reason, delayMs });
        await unlessAborted(sleep(delayMs, signal), signal);
      }
    }
    emit({ type: 'finished', pending: queue.pending() });
    return { pending: queue.pending(), stopped: null };
  }

  async function flush({ signal }: { signal?: AbortSignal } = {}): Promise<FlushResult> {
    schedule.cancel();
    await resetting;
    while (running?.controller.signal.aborted) await running.result.catch(() => undefined);
    running ??= startRun();
    const joined = running;
    joined.callers += 1;
    if (signal === undefined) return joined.result;
    const result = signal.aborted ? ABORTED : await unlessAborted(joined.result, signal);
    if (result !== ABORTED) return result;
    joined.callers -= 1;
    if (joined.callers > 0) return { pending: (await open()).pending(), stopped: 'aborted' };
    joined.controller.abort();
    return joined.result;
  }

  function startRun(): Run {
    const controller = new AbortController();
    const result = run(controller.signal).finally(() => {
      running = null;
    });
    return { controller, callers: 0, result: result.then(planNext) };
  }

  function planNext(result: FlushResult): FlushResult {
    failedFlushes = result.stopped === null ? 0 : failedFlushes + 1;
    if (result.pending > 0) schedule.later(failedFlushes);
    return result;
  }

  async function add({ deletedIds = [], deletions = [], groups = [] }: Changes, anchor?: Anchor): Promise<void> {
    const queue = await open();
    const queuedAtMs = now();
    const entries: Entry[] = [
      ...splitEntries(deletedIds, { ...limits, maxItems: MAX_IDS }).map((ids) => ({
        kind: 'ids' as const,
        queuedAtMs,
        ids,
      })),
      ...deletions.map(({ source, deletion }) => ({
        kind: 'deletions' as const,
        queuedAtMs,
        source,
        deletions: [deletion],
      })),
      ...groups.flatMap(({ source, items }) =>
        splitEntries(items, limits).map((chunk) => ({ kind: 'items' as const, queuedAtMs, source, items: chunk })),
      ),
    ];
    await queue.add(entries);
    if (anchor !== undefined) await storage.set(`${prefix}anchor/${anchor.name}`, anchor.value);
    const items = groups.reduce((sum, group) => sum + group.items.length, deletedIds.length + deletions.length);
    emit({ type: 'queued', items, pending: queue.pending() });
    if (running === null) schedule.added(queue.pending());
  }

  async function addParked(key: string): Promise<void> {
    const queue = await open();
    const found = (await parked.list()).find((candidate) => candidate.key === key);
    if (found === undefined) return;
    await queue.add(entriesOf(found, now()));
    await parked.remove(key);
    if (running === null) schedule.added(queue.pending());
  }

  async function removeEverything(): Promise<void> {
    schedule.cancel();
    running?.controller.abort();
    await running?.result.catch(() => undefined);
    await Promise.allSettled(changing);
    schedule.cancel();
    await beginClear();
    await session.revoke().catch(() => undefined);
    opening = null;
    await clear();
  }

  /** `reset` waits for it, so that it stores nothing afterwards. */
  function change(make: () => Promise<void>): Promise<void> {
    if (resetting !== null) return Promise.reject(new Error('The person signs out: reset() is running.'));
    const made = make().finally(() => changing.delete(made));
    changing.add(made);
    return made;
  }

  return {
    flush,
    enqueue: (changes, anchor) => change(() => add(changes, anchor)),
    readAnchor: (name) => storage.get(`${prefix}anchor/${name}`),
    pending: async () => (await open()).pending(),
    listParked: () => parked.list(),
    retryParked: (key) => change(() => addParked(key)),
    discardParked: (key) => parked.remove(key),
    installationId: () => installationId({ storage, prefix, newId }),
    reset() {
      resetting ??= removeEverything().finally(() => {
        resetting = null;
      });
      return resetting;
    },
  };
}

function entriesOf({ source, items: parked }: Parked, queuedAtMs: number): Entry[] {
  const items = parked.flatMap(({ item }) => (item.list === 'deleted' ? [] : [item]));
  const deletions = parked.flatMap(({ item }) => (item.list === 'deleted' ? [item.value] : []));
  return [
    ...(deletions.length > 0 ? [{ kind: 'deletions' as const, queuedAtMs, source, deletions }] : []),
    ...(items.length > 0 ? [{ kind: 'items' as const, queuedAtMs, source, items }] : []),
  ];
}

/** A flush, and how many callers of `flush` wait for it. */
type Run = { readonly controller: AbortController; callers: number; readonly result: Promise<FlushResult> };

/** An id may stand for a series of samples. */
const ITEMS_PER_ID = 20;
/** Of an entry, so that one fits into a batch. */
const MAX_IDS = 100;

type Taken = { readonly key: string; readonly entry: Entry };

/** The longest run of entries of one kind that fits into a batch; at least one entry. */
async function takeEntries(queue: Queue, { maxBytes, maxItems }: BatchLimits): Promise<Taken[]> {
  const taken: Taken[] = [];
  let bytes = 0;
  let items = 0;
  for (const key of queue.keys()) {
    const entry = await queue.read(key);
    if (entry === null) continue;
    const size = JSON.stringify(entry).length;
    const count = entry.kind === 'ids' ? entry.ids.length * ITEMS_PER_ID : countItems(entry);
    const isFull = bytes + size > maxBytes || items + count > maxItems || entry.kind !== taken[0]?.entry.kind;
    if (taken.length > 0 && isFull) break;
    taken.push({ key, entry });
    bytes += size;
    items += count;
  }
  return taken;
}

/** For a body that the service finds too large: entries that have more items are divided, in place. */
async function divideEntries(queue: Queue, batch: UploadBatch, maxItems: number): Promise<void> {
  for (const key of batch.entries) {
    const entry = await queue.read(key);
    if (entry?.kind !== 'items' || entry.items.length <= maxItems) continue;
    await queue.divide(key, entry, maxItems);
  }
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
