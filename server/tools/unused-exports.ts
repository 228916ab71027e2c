// Finds names that a file exports and no other file imports. What only its own file uses needs no `export`; what nobody uses goes.
import path from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import type { Token } from './scan-source.ts';
import { readSourceTree, type SourceFile } from './source-tree.ts';

type Exported = { readonly name: string; readonly line: number };
type Source = Pick<SourceFile, 'path' | 'tokens' | 'imports'>;

const TEST_FILE = /\.(test|fixture)\.ts$/;
/** Compiled and never imported. */
const TYPE_TEST = /\.type-test\.ts$/;
const DECLARATIONS = new Set(['const', 'let', 'function', 'class', 'type', 'interface', 'enum']);

async function checkUnusedExports(root: string): Promise<Problem[]> {
  return findUnused(await readSourceTree(root));
}

/** Re-exporting a name does not use it. What an index.ts re-exports is for other folders and for tests. */
export function findUnused(sources: readonly Source[]): Problem[] {
  const users = findUsers(sources);
  return sources
    .filter(({ path: file }) => !TYPE_TEST.test(file))
    .flatMap(({ path: file, tokens }) =>
      listExported(tokens)
        .filter(({ name }) => ![...(users.get(`${file} ${name}`) ?? [])].some((user) => isUse(user, file)))
        .map(({ name, line }) => ({ file, line, rule: 'unused-export', message: `${name} is used in no other file` })),
    );
}

/** By file and name: the files that import the name, from there or from a file that passes it on. */
function findUsers(sources: readonly Source[]): Map<string, Set<string>> {
  const importsOf = new Map(sources.map(({ path: file, imports }) => [file, imports]));
  const users = new Map<string, Set<string>>();
  const add = (user: string, file: string, name: string): void => {
    const known = users.getOrInsertComputed(`${file} ${name}`, () => new Set());
    if (known.has(user)) return;
    known.add(user);
    for (const { target, names, isReExport } of importsOf.get(file) ?? []) {
      if (!isReExport || target === null) continue;
      if (names === null) add(user, target, name);
      for (const passed of names ?? []) if (passed.as === name) add(user, target, passed.name);
    }
  };
  for (const { path: user, tokens, imports } of sources)
    for (const { target, names, isReExport } of imports) {
      if (isReExport || target === null) continue;
      // With all names imported, each word of the file may be one of them.
      const used = names?.map(({ name }) => name) ?? tokens.filter(isWord).map(({ text }) => text);
      for (const name of used) add(user, target, name);
    }
  return users;
}

function isUse(user: string, file: string): boolean {
  if (path.basename(file) !== 'index.ts') return user !== file;
  return !user.startsWith(`${path.dirname(file)}/`) || TEST_FILE.test(user);
}

function listExported(tokens: readonly Token[]): Exported[] {
  return tokens.flatMap((token, index) => {
    if (!isWord(token) || token.text !== 'export' || tokens[index + 1]?.text === 'default') return [];
    const rest = tokens.slice(index + 1);
    if (rest[0]?.text === '*' || (rest[0]?.text === 'type' && rest[1]?.text === '*')) return [];
    if (rest[0]?.text === '{' || (rest[0]?.text === 'type' && rest[1]?.text === '{')) return listNames(rest);
    const skipped = rest.findIndex(({ text }) => DECLARATIONS.has(text));
    const name = rest.slice(skipped + 1).find(({ text }) => text !== '*');
    return skipped === -1 || skipped > 2 || name === undefined ? [] : [{ name: name.text, line: name.line }];
  });
}

/** Of `{ a, type B, c as d }`: a, B and d. */
function listNames(tokens: readonly Token[]): Exported[] {
  const end = tokens.findIndex(({ text }) => text === '}');
  const inside = tokens.slice(0, end).filter(isWord);
  return inside
    .filter(({ text }, index) => text !== 'type' && text !== 'as' && inside[index + 1]?.text !== 'as')
    .map(({ text, line }) => ({ name: text, line }));
}

function isWord({ kind }: Token): boolean {
  return kind === 'word';
}

if (import.meta.main) reportProblems(await checkUnusedExports(path.resolve(import.meta.dirname, '..')));
