// Checks that only the owner of a table names it in SQL. Others call a function of the owner, or join a view that selects
// what they may rely on: everyone may read a view, nobody writes through one.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import type { Token } from './scan-source.ts';
import { readSourceTree, type SourceFile } from './source-tree.ts';
import { computedTables, tableOwners } from './table-owners.ts';

type Source = Pick<SourceFile, 'path' | 'tokens' | 'isTest'>;
type Finding = { readonly line: number; readonly message: string };
type Rules = {
  readonly owners: Readonly<Record<string, readonly string[]>>;
  readonly computed: Readonly<Record<string, string>>;
  readonly views: readonly string[];
};

const SCHEMA = 'migrations/schema.sql';
const STORE = /^features\/.*[/-]store\.ts$/;
/** Where a statement names a table. After a comma only with an alias, as a column may have the name of a table. */
const NAMED_TABLE =
  /\b(?:from|join|into|update|using|table)\s+(?:only\s+)?(?:public\.)?"?(\w+)"?(?![\w.(])|,\s*(\w+)\s+(?!from\b)(?:as\s+)?\w+\s*(?:,|where\b|on\b|$)/gi;
const WRITTEN_TABLE = /\b(?:insert\s+into|update|delete\s+from)\s+(?:public\.)?"?(\w+)/gi;
const COMPUTED_TABLE = /\b(?:from|join|into|update|using)\s+$/i;
/** Outside of stores only what starts like SQL is SQL: prose contains "from devices" too. */
const STARTS_LIKE_SQL = /^\s*\(?\s*(?:select|insert into|update|delete from|with|from|(?:left |cross )?join)\b/i;

async function checkTableOwners(root: string): Promise<Problem[]> {
  const schema = await readFile(path.join(root, SCHEMA), 'utf8');
  const rules = { owners: tableOwners, computed: computedTables, views: listNames(schema, /^create view (\w+)/gm) };
  const tables = listNames(schema, /^create (?:unlogged )?table (\w+)/gm);
  return [...checkOwnerList(tables, tableOwners), ...findForeignTables(await readSourceTree(root), rules)];
}

/** Each table of the schema has one owner, and the list names no other. */
export function checkOwnerList(tables: readonly string[], owners: Rules['owners']): Problem[] {
  const owned = Object.values(owners).flat();
  const report = (names: readonly string[], message: string) =>
    names.map((name) => ({ file: SCHEMA, line: 0, rule: 'table-owner', message: `${name} ${message}` }));
  return [
    ...report(tables.length === 0 ? ['the schema'] : [], 'has no table'),
    ...report(
      tables.filter((name) => !owned.includes(name)),
      'has no owner; add it to table-owners.ts',
    ),
    ...report(
      owned.filter((name) => !tables.includes(name)),
      'is in table-owners.ts, but not in the schema',
    ),
    ...report(
      owned.filter((name, at) => owned.indexOf(name) !== at),
      'has two owners in table-owners.ts',
    ),
  ];
}

export function findForeignTables(sources: readonly Source[], rules: Rules): Problem[] {
  const ownerOf = new Map(
    Object.entries(rules.owners).flatMap(([owner, tables]) => tables.map((name) => [name, owner])),
  );
  return sources
    .filter(({ path: file, isTest }) => file.startsWith('src/') && !isTest)
    .flatMap(({ path: fullPath, tokens }) => {
      const file = fullPath.slice('src/'.length);
      const texts = tokens.filter((token) => isSql(token, file));
      const findings = [
        ...texts.flatMap((text) => findForeign(text, file, ownerOf)),
        ...texts.flatMap((text) => findWrittenViews(text, rules.views)),
        ...(STORE.test(file) && !(file in rules.computed) ? texts.flatMap(findComputed) : []),
      ];
      return findings.map((finding) => ({ file: fullPath, rule: 'table-owner', ...finding }));
    });
}

function isSql({ kind, text }: Token, file: string): boolean {
  return (kind === 'string' || kind === 'template') && (STORE.test(file) || STARTS_LIKE_SQL.test(text));
}

function findForeign(token: Token, file: string, ownerOf: ReadonlyMap<string, string>): Finding[] {
  const isName = STORE.test(file) && /^\w+$/.test(token.text);
  const named = isName ? [{ name: token.text, line: token.line }] : findNames(token, NAMED_TABLE);
  return named.flatMap(({ name, line }) => {
    const owner = ownerOf.get(name);
    if (owner === undefined || file.startsWith(owner)) return [];
    return [{ line, message: `${name} belongs to ${owner}: call a function of it, or join a view` }];
  });
}

function findWrittenViews(token: Token, views: readonly string[]): Finding[] {
  return findNames(token, WRITTEN_TABLE)
    .filter(({ name }) => views.includes(name))
    .map(({ name, line }) => ({ line, message: `${name} is a view: only the owner of its table writes` }));
}

function findComputed(token: Token): Finding[] {
  if (token.kind !== 'template' || !COMPUTED_TABLE.test(token.text)) return [];
  const message = 'a computed table name cannot be checked: write it out, or add the file to table-owners.ts';
  return [{ line: token.line + token.text.split('\n').length - 1, message }];
}

function findNames({ text, line }: Token, pattern: RegExp): { readonly name: string; readonly line: number }[] {
  return [...text.matchAll(pattern)].map((found) => ({
    name: (found[1] ?? found[2] ?? '').toLowerCase(),
    line: line + text.slice(0, found.index).split('\n').length - 1,
  }));
}

function listNames(schema: string, pattern: RegExp): string[] {
  return [...schema.matchAll(pattern)].map(([, name]) => name ?? '');
}

if (import.meta.main) {
  reportProblems(await checkTableOwners(path.resolve(import.meta.dirname, '..')), 'server/');
}
