// Checks that every table with a user_id is distributed or has a reason to stay on the coordinator of a Citus cluster, and that
// every statement on a distributed table names its user: then one node can answer it, and no statement joins the table with one
// that stays on the coordinator.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CITUS_LAYOUT } from '../src/distributed-tables.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import type { Token } from './scan-source.ts';
import { readSourceTree, type SourceFile } from './source-tree.ts';
import { tableOwners } from './table-owners.ts';

const SCHEMA = 'migrations/schema.sql';

/** Tables with a user_id that stay on the coordinator, beside those that are shared. Each with its reason. */
const ON_COORDINATOR: Readonly<Record<string, string>> = {
  audit_inbox: 'moved in its own order, of all users, into the chain of the audit trail',
  audit_log: 'read by account, and most entries concern no user',
  audit_salts: 'read for the entries of many users that join the chain of the audit trail',
  authorization_requests: 'found by the secret of a link, before the user is known',
  feed_events: 'read by environment in the order of its positions, which one publisher gives',
  mobile_tokens: 'found by their secret, before the user is known',
  pending_changes: 'written with the sync task whose pages changed the data',
  provider_accounts: 'provider webhooks find them by the account at the provider',
  roster_members: 'read by account and by person',
  sandbox_people: 'the hourly job finds those that are due, of all users',
  sdk_session_requests: 'written with the session',
  sdk_sessions: 'found by their id at each call, before the user is known',
  sync_log: 'read with the synced devices of an account',
  sync_tasks: 'written with the synced device that they make due',
  synced_devices: 'the syncer claims those that are due, of all users',
  webhook_deliveries: 'claimed by webhook, and test deliveries concern no user',
};

type Source = Pick<SourceFile, 'path' | 'tokens' | 'isTest'>;

const SQL_FILE = /^src\/features\/.*[/-]store\.ts$/;
/** A mention of a table; without a name where a template inserts it: `from ${table} where …`. */
const MENTION = /\b(?:from|join|into|update|using)\s+(?:only\s+)?(\w+|$)/gi;
const INSERTED_TABLE = 'table';
const NAMES_USER = /^\s*(?:as\s+\w+\s+)?\(\s*user_id\b|\buser_id\s*=\s*(?:\$\d|any\s*\(\s*\$\d|\w+\.user_id\b)/i;
const ALIAS = /^\s+(?:as\s+)?(\w+)\b/i;
const MAX_PIECES = 12; // of one template

/** Statements that concern all users. Each runs on every node, so it must be rare. */
const OF_ALL_USERS: readonly { readonly text: RegExp; readonly reason: string }[] = [
  { text: /from uploads where received_at < \$1/, reason: 'the retention of upload responses, an hourly job' },
  { text: /from raw_payloads where received_at < \$1/, reason: 'the retention of raw payloads, an hourly job' },
  { text: /from scores where details is not null/, reason: 'packs scores of an earlier version, an hourly job' },
  { text: /in \(select r\.user_id from raw_payloads r/, reason: 'a replay of a whole account, by the operator' },
];

export function findUnplaced(
  schema: string,
  layout: Readonly<Record<'distributed' | 'shared', readonly string[]>>,
  exceptions: readonly string[],
): Problem[] {
  const tables = [...schema.matchAll(/^create (?:unlogged )?table (\w+) \(\n(.*?)^\)/gms)];
  const ofUsers = tables.filter(([, , columns]) => /^ +user_id /m.test(columns ?? '')).map(([, name]) => name ?? '');
  const placed = [...layout.distributed, ...layout.shared, ...exceptions];
  const report = (names: readonly string[], message: string) =>
    names.map((name) => ({ file: SCHEMA, line: 0, rule: 'distributed-table', message: `${name} ${message}` }));
  return [
    ...report(
      ofUsers.filter((name) => !placed.includes(name)),
      'has a user_id: add it to src/distributed-tables.ts, or to ON_COORDINATOR of tools/check-distributed.ts with the reason',
    ),
    ...report(
      [...layout.distributed, ...exceptions].filter((name) => !ofUsers.includes(name)),
      'is in a list of tables with a user_id, but no such table is in the schema',
    ),
  ];
}

export function findUnnamedUsers(sources: readonly Source[], tables: readonly string[]): Problem[] {
  return sources
    .filter(({ path: file, isTest }) => SQL_FILE.test(file) && !isTest)
    .flatMap(({ path: file, tokens }) =>
      tokens.flatMap((token, index) => {
        if (token.kind !== 'string' && token.kind !== 'template') return [];
        return findMentions(tokens, index, mayInsert(file, tables) ? tables : []).flatMap(
          ({ name, rest, whole, line }) => {
            if (!tables.includes(name) || NAMES_USER.test(rest) || namesUserOf(rest, whole)) return [];
            if (OF_ALL_USERS.some(({ text }) => text.test(token.text))) return [];
            const message = `a statement on ${name} without "user_id = $n" runs on every node`;
            return [{ file, line, rule: 'distributed-table', message }];
          },
        );
      }),
    );
}

/** `w.user_id = $1`, where the alias w follows the mention. */
function namesUserOf(rest: string, whole: string): boolean {
  const alias = ALIAS.exec(rest)?.[1];
  return (
    alias !== undefined && new RegExp(`\\b${alias}\\.user_id\\s*=\\s*(?:\\$\\d|any\\s*\\(\\s*\\$\\d)`, 'i').test(whole)
  );
}

type Mention = { readonly name: string; readonly rest: string; readonly whole: string; readonly line: number };

/** `rest` reaches to the next mention of a table, because each needs its own condition; `whole` is the text from here on. */
function findMentions(tokens: readonly Token[], index: number, insertable: readonly string[]): Mention[] {
  const { text, line } = tokens[index] as Token;
  const found = [...text.matchAll(MENTION)];
  const whole = tokens
    .slice(index, index + MAX_PIECES)
    .filter(({ kind }, at) => at === 0 || kind === 'template')
    .map((piece) => piece.text)
    .join(' ');
  return found.flatMap((match, at) => {
    const start = match.index + match[0].length;
    const lineOf = line + text.slice(0, match.index).split('\n').length - 1;
    const name = (match[1] ?? '').toLowerCase();
    if (name !== '') return [{ name, rest: text.slice(start, found[at + 1]?.index), whole, line: lineOf }];
    const [inserted, after] = [tokens[index + 1], tokens[index + 2]];
    if (inserted?.text !== INSERTED_TABLE || after === undefined) return [];
    return insertable.slice(0, 1).map((one) => ({ name: one, rest: after.text, whole, line: lineOf }));
  });
}

/** In the folder of an owner an inserted name is one of its distributed tables. */
function mayInsert(file: string, tables: readonly string[]): boolean {
  return Object.entries(tableOwners).some(
    ([owner, owned]) => file.startsWith(`src/${owner}`) && owned.some((name) => tables.includes(name)),
  );
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const schema = await readFile(path.join(root, SCHEMA), 'utf8');
  const unplaced = findUnplaced(schema, CITUS_LAYOUT, Object.keys(ON_COORDINATOR));
  const unnamed = findUnnamedUsers(await readSourceTree(root), CITUS_LAYOUT.distributed);
  reportProblems([...unplaced, ...unnamed], 'server/');
}
