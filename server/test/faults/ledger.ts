// Compares what a client requested and which responses it got with the database after a failure.
import assert from 'node:assert/strict';
import { queryEmbedded, waitFor } from '../support/service-process.ts';

type Change =
  | { readonly kind: 'create'; readonly reference: string; acknowledge(id: string): void }
  | { readonly kind: 'delete'; readonly id: string; acknowledge(id: string): void };

export type Ledger = {
  /** The next change that a client is about to request; from here on it may happen. */
  next(): Change;
  /** Ids that must exist: their creation was acknowledged, and their deletion was never requested. */
  listKept(): string[];
  describe(): string;
  verify(dataDir: string): Promise<void>;
};

type Entry = { readonly reference: string; id: string | null; deletion: 'none' | 'asked' | 'acknowledged' };
type Row = { id: string; reference_id: string; status: string };

const DELETE_EVERY = 8;
const ERASURE_LIMIT_MS = 15_000;

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  let requested = 0;

  function requestDeletion(): Change | null {
    const entry = entries.find((candidate) => candidate.id !== null && candidate.deletion === 'none');
    if (!entry?.id) return null;
    entry.deletion = 'asked';
    return {
      kind: 'delete',
      id: entry.id,
      acknowledge: () => {
        entry.deletion = 'acknowledged';
      },
    };
  }

  function requestCreation(): Change {
    const entry: Entry = { reference: `person ${entries.length}`, id: null, deletion: 'none' };
    entries.push(entry);
    return {
      kind: 'create',
      reference: entry.reference,
      acknowledge: (id) => {
        entry.id = id;
      },
    };
  }

  return {
    next() {
      requested += 1;
      return (requested % DELETE_EVERY === 0 ? requestDeletion() : null) ?? requestCreation();
    },
    listKept: () => entries.flatMap((entry) => (entry.id !== null && entry.deletion === 'none' ? [entry.id] : [])),
    describe: () =>
      `${entries.filter((entry) => entry.id !== null).length} creations and ` +
      `${entries.filter((entry) => entry.deletion === 'acknowledged').length} deletions were acknowledged, of ${requested} asked for`,
    async verify(dataDir) {
      const rows = await queryEmbedded<Row>(dataDir, 'select id, reference_id, status from users');
      verifyUsers(entries, rows);
      await verifyCount(dataDir);
      await verifyErasures(
        dataDir,
        entries.flatMap((entry) => (entry.id !== null && entry.deletion === 'acknowledged' ? [entry.id] : [])),
      );
    },
  };
}

function verifyUsers(entries: readonly Entry[], rows: readonly Row[]): void {
  const byReference = Map.groupBy(rows, (row) => row.reference_id);
  for (const entry of entries) {
    const found = byReference.get(entry.reference) ?? [];
    assert.ok(found.length <= 1, `${entry.reference} exists ${found.length} times`);
    if (entry.id !== null && entry.deletion === 'none') {
      assert.deepEqual(found, [{ id: entry.id, reference_id: entry.reference, status: 'active' }], 'acknowledged');
    }
    if (entry.deletion === 'acknowledged')
      assert.notEqual(found[0]?.status, 'active', `${entry.reference} was deleted`);
    byReference.delete(entry.reference);
  }
  assert.deepEqual([...byReference.keys()], [], 'these were never requested');
}

/** The limit of an environment uses a counter, which must match the rows. */
async function verifyCount(dataDir: string): Promise<void> {
  const [counts] = await queryEmbedded<{ counted: number; stored: number }>(
    dataDir,
    `select (select user_count from account_environments where environment = 'live')::int as counted,
            (select count(*) from users where status = 'active')::int as stored`,
  );
  assert.equal(counts?.counted, counts?.stored, 'the counter of users');
}

async function verifyErasures(dataDir: string, ids: readonly string[]): Promise<void> {
  await waitFor('the erasure of every deleted user', ERASURE_LIMIT_MS, async () => {
    const [left] = await queryEmbedded<{ users: number }>(
      dataDir,
      'select count(*)::int as users from users where id = any($1)',
      [ids],
    );
    return left?.users === 0;
  });
  const [audit] = await queryEmbedded<{ lines: number; people: number }>(
    dataDir,
    `select count(*)::int as lines, count(distinct subject)::int as people from audit_log where action = 'user.erased'`,
  );
  // A line contains no id. One more line than acknowledged is a deletion whose response was lost.
  assert.equal(audit?.lines, audit?.people, 'one line in the audit log for each');
  assert.ok((audit?.lines ?? 0) >= ids.length, `${audit?.lines} lines in the audit log for ${ids.length} users`);
}
