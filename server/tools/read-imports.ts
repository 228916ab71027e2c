// Finds the imports of a file: import and export … from, type-only ones included, and import('…') as a call or a type.
import type { Token } from './scan-source.ts';

/** `specifier` is null for an import() whose argument is computed. */
export type ImportSite = { specifier: string | null; typeOnly: boolean; line: number };

export function readImports(tokens: readonly Token[]): ImportSite[] {
  const sites: ImportSite[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    if (!isWord(tokens[index], 'import', 'export') || isPunctuation(tokens[index - 1], '.')) continue;
    const site = isWord(tokens[index], 'import') ? readImport(tokens, index) : readExport(tokens, index);
    if (site !== null) sites.push(site);
  }
  return sites;
}

function readImport(tokens: readonly Token[], index: number): ImportSite | null {
  const line = tokens[index]?.line ?? 0;
  const next = tokens[index + 1];
  if (next?.kind === 'string') return { specifier: next.text, typeOnly: false, line };
  if (isPunctuation(next, '(')) {
    const argument = tokens[index + 2];
    const isLiteral = argument?.kind === 'string' && isPunctuation(tokens[index + 3], ')', ',');
    return { specifier: isLiteral ? argument.text : null, typeOnly: false, line };
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
      return { specifier: next.text, typeOnly, line };
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

function isWord(token: Token | undefined, ...texts: string[]): boolean {
  return token?.kind === 'word' && texts.includes(token.text);
}

function isPunctuation(token: Token | undefined, ...texts: string[]): boolean {
  return token?.kind === 'punctuation' && texts.includes(token.text);
}
