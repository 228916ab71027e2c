// Finds names that a file exports and no other file mentions. What only its own file uses needs no `export`; what nobody uses goes.
import path from 'node:path';
import { type Problem, reportProblems } from './report-problems.ts';
import type { Token } from './scan-source.ts';
import { readSourceTree, type SourceFile } from './source-tree.ts';

type Exported = { readonly name: string; readonly line: number };
type Source = Pick<SourceFile, 'path' | 'tokens'>;

const TEST_FILE = /\.(test|fixture)\.ts$/;
/** Compiled and never imported. */
const TYPE_TEST = /\.type-test\.ts$/;
const DECLARATIONS = new Set(['const', 'let', 'function', 'class', 'type', 'interface', 'enum']);

async function checkUnusedExports(root: string): Promise<Problem[]> {
  return findUnused(await readSourceTree(root));
}

/** Passing a name on is no use of it. What an index.ts passes on is for other folders and for tests. */
export function findUnused(sources: readonly Source[]): Problem[] {
  const users = new Map<string, string[]>();
  for (const { path: file, tokens } of sources)
    for (const word of new Set(
      dropReExports(tokens)
        .filter(isWord)
        .map(({ text }) => text),
    ))
      users.getOrInsertComputed(word, () => []).push(file);
  return sources
    .filter(({ path: file }) => !TYPE_TEST.test(file))
    .flatMap(({ path: file, tokens }) =>
      listExported(tokens)
        .filter(({ name }) => !(users.get(name) ?? []).some((user) => isUse(user, file)))
        .map(({ name, line }) => ({ file, line, rule: 'unused-export', message: `${name} is used in no other file` })),
    );
}

function isUse(user: string, file: string): boolean {
  if (path.basename(file) !== 'index.ts') return user !== file;
  return !user.startsWith(`${path.dirname(file)}/`) || TEST_FILE.test(user);
}

/** Without the names of `export { a, b } from …`. */
function dropReExports(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    const isList = token.text === '{' && isExport(tokens.slice(Math.max(0, index - 2), index));
    if (isList) index = tokens.findIndex(({ text }, at) => at > index && text === '}');
    else kept.push(token);
  }
  return kept;
}

/** Of `export` or `export type`. */
function isExport(before: readonly Token[]): boolean {
  const texts = before.map(({ text }) => text);
  return texts.at(-1) === 'export' || (texts.at(-1) === 'type' && texts.at(-2) === 'export');
}

function listExported(tokens: readonly Token[]): Exported[] {
  return tokens.flatMap((token, index) => {
    if (!isWord(token) || token.text !== 'export' || tokens[index + 1]?.text === 'default') return [];
    const rest = tokens.slice(index + 1);
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
