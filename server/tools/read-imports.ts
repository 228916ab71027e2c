// Finds the imports of a file: import and export … from, type-only ones included, import('…') as a call or a type, and the files
// whose types it adds to.
import type { Token } from './scan-source.ts';

/** `name` of the imported file, known as `as` in the importing one. */
type ImportedName = { name: string; as: string };

/** `specifier` is null for an import() whose argument is computed. `names` is null for all names: `* as x`, `export *` and import(). */
export type ImportSite = {
  specifier: string | null;
  typeOnly: boolean;
  line: number;
  names: ImportedName[] | null;
  isReExport: boolean;
};

export function readImports(tokens: readonly Token[]): ImportSite[] {
  const sites: ImportSite[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (isWord(tokens[index], 'declare')) sites.push(...readAugmentation(tokens, index));
    if (!isWord(tokens[index], 'import', 'export') || isPunctuation(tokens[index - 1], '.')) continue;
    const site = isWord(tokens[index], 'import') ? readImport(tokens, index) : readExport(tokens, index);
    if (site !== null) sites.push(site);
  }
  return sites;
}

/** `declare module './a.ts' { … }` adds to types of that file. */
function readAugmentation(tokens: readonly Token[], index: number): ImportSite[] {
  const [word, file] = [tokens[index + 1], tokens[index + 2]];
  if (!isWord(word, 'module') || file?.kind !== 'string') return [];
  return [{ specifier: file.text, typeOnly: true, line: file.line, names: null, isReExport: false }];
}

function readImport(tokens: readonly Token[], index: number): ImportSite | null {
  const line = tokens[index]?.line ?? 0;
  const next = tokens[index + 1];
  if (next?.kind === 'string') return { specifier: next.text, typeOnly: false, line, names: [], isReExport: false };
  if (isPunctuation(next, '(')) {
    const argument = tokens[index + 2];
    const isLiteral = argument?.kind === 'string' && isPunctuation(tokens[index + 3], ')', ',');
    const specifier = isLiteral ? argument.text : null;
    return { specifier, typeOnly: false, line, names: null, isReExport: false };
  }
  return readFrom(tokens, index + 1, line);
}

function readExport(tokens: readonly Token[], index: number): ImportSite | null {
  const first = isWord(tokens[index + 1], 'type') ? tokens[index + 2] : tokens[index + 1];
  if (!isPunctuation(first, '{', '*')) return null;
  return readFrom(tokens, index + 1, tokens[index]?.line ?? 0);
}

/** Skips names up to `from '…'`; anything but names, braces, commas and stars means there is no `from`. */
function readFrom(tokens: readonly Token[], start: number, line: number): ImportSite | null {
  let isInBraces = false;
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    const next = tokens[index + 1];
    if (isWord(token, 'from') && next?.kind === 'string' && !isInBraces) {
      const typeOnly = isWord(tokens[start], 'type') && start !== index;
      const isReExport = isWord(tokens[start - 1], 'export');
      return { specifier: next.text, typeOnly, line, names: readNames(tokens.slice(start, index)), isReExport };
    }
    if (isPunctuation(token, '{')) isInBraces = true;
    else if (isPunctuation(token, '}')) isInBraces = false;
    else if (!(token?.kind === 'word' || isPunctuation(token, ',', '*') || (token?.kind === 'string' && isInBraces)))
      break;
    // Only `from` can follow a closing brace; without it this was `export { a };` and the next statement is unrelated.
    if (isPunctuation(token, '}') && !isWord(next, 'from')) break;
  }
  return null;
}

/** Of `{ a, type B, c as d }`, without a name of the default export. */
function readNames(clause: readonly Token[]): ImportedName[] | null {
  if (clause.some((token) => isPunctuation(token, '*'))) return null;
  const open = clause.findIndex((token) => isPunctuation(token, '{'));
  const names: ImportedName[] = [];
  let words: string[] = [];
  for (const token of open === -1 ? [] : clause.slice(open + 1)) {
    if (!isPunctuation(token, ',', '}')) {
      words.push(token.text);
      continue;
    }
    if (words[0] === 'type' && words.length > 1 && words[1] !== 'as') words.shift();
    const [name, , as = name] = words;
    if (name !== undefined && as !== undefined) names.push({ name, as });
    words = [];
  }
  return names;
}

function isWord(token: Token | undefined, ...texts: string[]): boolean {
  return token?.kind === 'word' && texts.includes(token.text);
}

function isPunctuation(token: Token | undefined, ...texts: string[]): boolean {
  return token?.kind === 'punctuation' && texts.includes(token.text);
}
