// The audit trail of this process: collects reads, chains entries, verifies and cuts the chain.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { HOUR_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { oneAtATime, startFlushLoop } from '../../../platform/flush-loop.ts';
import type { Observe } from '../../../platform/http/observed-request.ts';
import type { Logger } from '../../../platform/log.ts';
import { chainWaiting, forgetUserInTrail } from './chain-entries.ts';
import { cutTrail } from './cut-trail.ts';
import type { OwnCall } from './own-entry.ts';
import { describeOwnRead, describeRead, factsOf, type HealthRead } from './read-entry.ts';
import { insertReads, type ReadEntry } from './store.ts';
import type { TrailFacts } from './trail-entry.ts';
import { type Verification, type VerifyOptions, verifyTrail } from './verify-trail.ts';

export type AuditTrail = {
  /** Once per credential, user, resource and hour. Reads of a second by one credential share an entry, and so do the users of a list. */
  recordRead: Observe;
  /** Call it before the data is sent. */
  recordOwnRead(call: OwnCall, resource: string): void;
  /** Writes the reads since the last call. If that fails, the next call writes them. */
  flush(): Promise<void>;
  /** Flushes every second, and a last time when it is stopped. */
  start(): BackgroundLoop;
  startChaining(): BackgroundLoop;
  forgetUser(tx: Transaction, user: { readonly userId: UserId }): Promise<void>;
  /** The first part chains what still waits, so that it covers everything done until now. */
  verify(options: VerifyOptions): Promise<Verification>;
  /** Returns the number of removed entries. */
  cut(before: Date): Promise<number>;
};

const FLUSH_INTERVAL_MS = SECOND_MS;
const CHAIN_INTERVAL_MS = SECOND_MS;
const MAX_ENTRY_USERS = 1_000; // about 60 kB
const MAX_RECORDED = 50_000; // a forgotten read is recorded again in the same hour
const MAX_WAITING = 50_000; // users in reads; about 20 MB, if the database is unavailable

type UnwrittenRead = {
  readonly at: number;
  readonly facts: TrailFacts;
  readonly isList: boolean;
  readonly users: string[];
};

type Options = { readonly db: Database; readonly clock: Clock; readonly log: Logger; key(): Buffer };

export function createAuditTrail({ db, clock, log, key }: Options): AuditTrail {
  const recorded = createBoundedMap<string, true>(MAX_RECORDED);
  /** Reads since the last flush: of one credential and resource, with all users. */
  let reads = new Map<string, UnwrittenRead>();
  let unwritten: ReadEntry[] = [];
  let waitingUsers = 0;

  const flush = oneAtATime(async () => {
    unwritten.push(...[...reads.values()].flatMap(toEntries));
    reads = new Map();
    if (unwritten.length === 0) return;
    const rows = unwritten;
    unwritten = [];
    const users = waitingUsers;
    try {
      await insertReads(db, rows);
      waitingUsers -= users;
    } catch (error) {
      unwritten = [...rows, ...unwritten];
      throw error;
    }
  });

  function record(read: HealthRead): void {
    const at = clock.now().getTime();
    const { account_id, environment, actor, actor_id } = read.reader;
    const once = `${account_id} ${environment} ${actor} ${actor_id} ${read.resource} ${Math.floor(at / HOUR_MS)} `;
    const userIds = read.userIds.filter((userId) => !recorded.has(once + userId));
    if (userIds.length === 0) return;
    if (waitingUsers >= MAX_WAITING) {
      log.warn({ waiting: waitingUsers }, 'the audit trail is not writable; dropped a read');
      return;
    }
    for (const userId of userIds) recorded.set(once + userId, true);
    waitingUsers += userIds.length;
    const { isList } = read;
    // A person is named by its user alone, so an entry with several users would not say who of them read what.
    const shared = actor === 'person' ? once + userIds.join() : once;
    reads.getOrInsertComputed(shared, () => ({ at, facts: factsOf(read), isList, users: [] })).users.push(...userIds);
  }

  return {
    recordRead(request) {
      const read = describeRead(request);
      if (read !== null) record(read);
    },
    recordOwnRead: (call, resource) => record(describeOwnRead(call, resource)),
    flush,
    start: () => startFlushLoop({ name: 'audit reads', everyMs: FLUSH_INTERVAL_MS, log, flush }),
    startChaining: () =>
      startLoop({ name: 'audit trail', pauseMs: CHAIN_INTERVAL_MS, log, round: () => chainWaiting(db, key()) }),
    forgetUser: (tx, user) => forgetUserInTrail(tx, key(), user),
    async verify(options) {
      while (options.after === null && (await chainWaiting(db, key())));
      return verifyTrail(db, key(), options);
    },
    cut: (before) => cutTrail(db, key(), before),
  };
}

/** A program that reads user after user would otherwise write an entry for each. */
function toEntries({ at, facts, isList, users }: UnwrittenRead): ReadEntry[] {
  const [only = null, ...others] = users;
  if (!isList && others.length === 0) return [{ at, user_id: only, entry: facts }];
  const parts = Array.from({ length: Math.ceil(users.length / MAX_ENTRY_USERS) }, (_, index) =>
    users.slice(index * MAX_ENTRY_USERS, (index + 1) * MAX_ENTRY_USERS),
  );
  return parts.map((part) => ({ at, user_id: null, entry: { ...facts, users: part } }));
}
