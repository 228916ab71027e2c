// Runs an operation for every statement and commit that it sends to the database, each time losing the connection at another one, and
// compares the state after the caller's retries with an undisturbed run.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Database, Queryable } from '../../src/platform/db/database.ts';
import { AppError } from '../../src/platform/errors.ts';
import { assertSameState } from './assert-same-state.ts';
import { connectToDatabase } from './test-database.ts';

/**
 * `unsent`: the connection is lost before the statement is sent. `unanswered`: the server executes it and the answer is lost.
 * `outage`: this statement and all later ones fail, until the caller retries.
 */
type Fault = 'unsent' | 'unanswered' | 'outage';
type Failpoint = { readonly at: number; readonly fault: Fault };

type FailingDatabase = {
  readonly db: Database;
  /** The sent statements as texts, with "begin" and "commit". */
  readonly sent: readonly string[];
  hasFailed(): boolean;
};

/** `onCommitted` is called whenever other connections can see something new. */
function failAt(db: Database, failpoint: Failpoint | null, onCommitted = async () => {}): FailingDatabase {
  const sent: string[] = [];
  const reach = (text: string) => {
    sent.push(text);
    if (failpoint === null) return null;
    const isReached = sent.length === failpoint.at || (failpoint.fault === 'outage' && sent.length > failpoint.at);
    return isReached ? failpoint.fault : null;
  };
  const queryOn = (target: Queryable, afterwards: () => Promise<void>): Queryable['query'] => {
    return async (statement, values) => {
      const fault = reach(typeof statement === 'string' ? statement : statement.text);
      if (fault === 'unsent' || fault === 'outage') throw connectionLost();
      const rows = await target.query(statement, values);
      await afterwards();
      if (fault === 'unanswered') throw connectionLost();
      return rows as never;
    };
  };
  const transactionWith = (open: Database['transaction']): Database['transaction'] => {
    return async (work) => {
      if (reach('begin') !== null) throw connectionLost();
      let isAnswered = true;
      const result = await open(async (tx) => {
        const done = await work({ ...tx, query: queryOn(tx, async () => {}) });
        const fault = reach('commit');
        if (fault === 'unsent' || fault === 'outage') throw connectionLost();
        isAnswered = fault === null;
        return done;
      });
      await onCommitted();
      if (!isAnswered) throw connectionLost();
      return result;
    };
  };
  return {
    sent,
    hasFailed: () => failpoint !== null && sent.length >= failpoint.at,
    db: {
      ...db,
      query: queryOn(db, onCommitted),
      transaction: transactionWith(db.transaction),
      asyncCommitTransaction: transactionWith(db.asyncCommitTransaction),
      dryRun: () => assert.fail('a dry run changes nothing'),
      pool: () => assert.fail('failpoints do not reach the statements of libraries'),
    },
  };
}

function connectionLost(): AppError {
  return new AppError('unavailable', { cause: new Error('Connection terminated by a failpoint') });
}

type Operation<World> = {
  readonly db: Database;
  /** What an undisturbed run sends at least: fewer mean that the operation has nothing to do. */
  readonly atLeast: { readonly statements: number; readonly commits: number };
  /** A new user, account or folder for each run. */
  prepare(): Promise<World>;
  run(world: World, db: Database): Promise<unknown>;
  /** What the caller does after a failure, if not the same again. */
  retry?(world: World, db: Database): Promise<unknown>;
  /** The stored rows, without values that differ between two worlds. */
  read(world: World): Promise<unknown>;
  /** Called after each failure; by default it asserts that what others see is a state between two commits of the undisturbed run. */
  checkFailed?(world: World): Promise<void>;
};

export async function failEverywhere<World>(t: TestContext, operation: Operation<World>): Promise<void> {
  const reference = await runUndisturbed(operation);
  const checkFailed = operation.checkFailed ?? ((world) => assertBetweenCommits(operation, world, reference.states));
  const checked = { ...operation, checkFailed };
  const failingDb = openAgain(t, operation.db);
  const failed = new Set<string>();
  let reached = 0;
  let subject: Subject<World> | null = null;
  // How many statements a run sends can depend on how many answers arrive together, so it continues beyond a shorter run.
  for (let at = 1; ; at += 1) {
    const run = async (fault: Fault) => {
      subject ??= await prepareSubject(operation);
      const failing = failAt(failingDb, { at, fault });
      const result = await runFailing(checked, subject, failing, { at, fault }, reference.states.at(-1));
      if (!result.isUntouched) subject = null;
      if (result.outcome !== 'not reached') failed.add(result.failedAt);
      return result.outcome;
    };
    const outcomes = [await run('unsent'), await run('unanswered')];
    // An operation that ends with its first failure does not notice whether the outage lasts.
    if (outcomes.includes('continued')) outcomes.push(await run('outage'));
    reached += outcomes.filter((outcome) => outcome !== 'not reached').length;
    if (outcomes.includes('not reached') && at > reference.sent.length) break;
  }
  t.diagnostic(`${reached} failures at ${reference.sent.length} statements and commits`);
  const missed = [...new Set(reference.sent)].filter((text) => !failed.has(text));
  assert.deepEqual(missed, [], 'every statement of the undisturbed run failed');
}

/** A failure closes a connection: one of these, not one of the service's, on which all its statements are prepared. */
function openAgain(t: TestContext, db: Database): Database {
  const { connectionString } = db.pool().options;
  assert.ok(connectionString);
  const opened = connectToDatabase(connectionString);
  t.after(() => opened.close());
  return opened;
}

type Reference = { readonly sent: readonly string[]; readonly states: readonly unknown[] };

/** The states are those before, after each commit, and at the end. */
async function runUndisturbed<World>({ db, atLeast, prepare, run, read }: Operation<World>): Promise<Reference> {
  const world = await prepare();
  const states = [await read(world)];
  const { db: watched, sent } = failAt(db, null, async () => void states.push(await read(world)));
  await run(world, watched);
  states.push(await read(world));
  assert.ok(!isDeepStrictEqual(states[0], states.at(-1)), 'the operation changes something');
  const commits = sent.filter((text) => text === 'commit').length;
  assert.ok(sent.length - commits >= atLeast.statements && commits >= atLeast.commits, listSent(sent));
  return { sent, states };
}

function listSent(sent: readonly string[]): string {
  return [`only ${sent.length} statements and commits were sent:`, ...sent.map((text) => text.slice(0, 60))].join(
    '\n  ',
  );
}

/** `continued`: the operation sent further statements after the failure. */
type FailpointOutcome = 'not reached' | 'ended' | 'continued';

/** What an operation is run on, and the rows that it finds. */
type Subject<World> = { readonly world: World; readonly before: unknown };

async function prepareSubject<World>({ prepare, read }: Operation<World>): Promise<Subject<World>> {
  const world = await prepare();
  return { world, before: await read(world) };
}

type FailingRun = { readonly outcome: FailpointOutcome; readonly failedAt: string; readonly isUntouched: boolean };

/**
 * A failure that changed no row leaves the subject as it was, so the next failure is the caller's retry: the last one of such a sequence
 * ends like an undisturbed run.
 */
async function runFailing<World>(
  operation: Operation<World>,
  { world, before }: Subject<World>,
  failing: FailingDatabase,
  failpoint: Failpoint,
  expected: unknown,
): Promise<FailingRun> {
  const { db, run, read, retry = run, checkFailed } = operation;
  await run(world, failing.db).catch(assertUnavailable);
  const hasFailed = failing.hasFailed();
  const failedAt = failing.sent[failpoint.at - 1] ?? 'the end';
  const outcome = !hasFailed ? 'not reached' : failing.sent.length > failpoint.at ? 'continued' : 'ended';
  if (hasFailed) {
    await checkFailed?.(world);
    if (isDeepStrictEqual(await read(world), before)) return { outcome, failedAt, isUntouched: true };
    await retry(world, db);
  }
  const place = `${failpoint.fault} at ${failpoint.at}, ${failedAt}`;
  assertSameState(await read(world), expected, `${place}: the state after the retry`);
  return { outcome, failedAt, isUntouched: false };
}

function assertUnavailable(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
}

async function assertBetweenCommits<World>({ read }: Operation<World>, world: World, states: readonly unknown[]) {
  const seen = await read(world);
  if (!states.some((state) => isDeepStrictEqual(seen, state)))
    assertSameState(seen, states[0], 'a state that no commit of the undisturbed run left, compared with the first');
}
