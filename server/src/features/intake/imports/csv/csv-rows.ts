// Splits CSV text that arrives in pieces into rows (RFC 4180). Quoted cells may contain delimiters and line breaks.
import { importError } from '../import-error.ts';

export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

const MAX_ROW_LENGTH = 1_048_576;
const DELIMITERS = [',', ';', '\t'] as const;

export async function* readCsvRows(texts: AsyncIterable<string>): AsyncGenerator<CsvRow[]> {
  let rest = '';
  let line = 1;
  let delimiter: string | null = null;
  const split = function* (text: string, isLast: boolean): Generator<CsvRow> {
    let at = 0;
    while (at < text.length) {
      const end = findRowEnd(text, at);
      if (end < 0 && !isLast) break;
      if (end < 0 && isOpen(text, at)) throw importError('a quotation mark of this row is not closed.', `line ${line}`);
      const row = text.slice(at, end < 0 ? text.length : end).replace(/\r$/, '');
      delimiter ??= guessDelimiter(row);
      if (row.trim() !== '') yield { line, cells: splitCells(row, delimiter) };
      line += countLineFeeds(row) + 1;
      at = end < 0 ? text.length : end + 1;
    }
    rest = text.slice(at);
    if (rest.length > MAX_ROW_LENGTH)
      throw importError(
        `a row has more than ${MAX_ROW_LENGTH} characters. Check for a quotation mark that is not closed.`,
        `line ${line}`,
      );
  };
  for await (const piece of texts) yield [...split(rest + piece, false)];
  yield [...split(rest, true)];
}

/** The next line feed outside of quotes; -1 if the text ends before. */
function findRowEnd(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) isQuoted = !isQuoted;
    else if (code === 10 && !isQuoted) return at;
  }
  return -1;
}

function isOpen(text: string, from: number): boolean {
  return (text.slice(from).split('"').length - 1) % 2 === 1;
}

function guessDelimiter(header: string): string {
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function splitCells(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < row.length; at += 1) {
    const char = row.charAt(at);
    if (char === '"' && isQuoted && row.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') isQuoted = !isQuoted;
    else if (char === delimiter && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  return [...cells, cell.trim()];
}

function countLineFeeds(text: string): number {
  return text.split('\n').length - 1;
}
