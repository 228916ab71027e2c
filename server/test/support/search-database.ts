// Searches every column of every row of every table, packed and compressed bytes too, for given texts, as a reader of a dump
// could.
import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import type { Queryable } from '../../src/platform/db/database.ts';

/** By the name to report. */
export type Wanted = Readonly<Record<string, string>>;

/** As "schema.table.column: name", each once, in order. */
export async function searchDatabase(db: Queryable, wanted: Wanted): Promise<string[]> {
  const needles = Object.entries(wanted).map(([name, text]) => ({ name, forms: formsOf(text) }));
  const found = new Set<string>();
  for (const table of await listTables(db)) {
    const rows = await db.query<{ row: Record<string, unknown> }>(`select to_jsonb(t) as row from ${table} t`);
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row)) {
        const readable = value === null ? [] : decodingsOf(value);
        for (const { name, forms } of needles)
          if (forms.some((form) => readable.some((bytes) => bytes.includes(form))))
            found.add(`${table}.${column}: ${name}`);
      }
  }
  return [...found].sort();
}

/** Tables of every schema but PostgreSQL's own. */
export async function listTables(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** In lower case; an id also as its sixteen bytes and without dashes. */
function formsOf(text: string): Buffer[] {
  const plain = Buffer.from(text.toLowerCase());
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return [plain];
  const hex = text.replaceAll('-', '').toLowerCase();
  return [plain, Buffer.from(hex), Buffer.from(hex, 'hex')];
}

function decodingsOf(value: unknown): Buffer[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const bytes = /^\\x([0-9a-f]*)$/.exec(text)?.[1];
  const packed =
    bytes === undefined ? base64In(text).flatMap((piece) => decode(piece, 'base64')) : decode(bytes, 'hex');
  return [lowerCase(Buffer.from(text)), ...packed];
}

function base64In(text: string): string[] {
  return text.match(/[\w+/-]{24,}={0,2}/g) ?? [];
}

/** By encoding and text: the same ids are in many rows, and a test searches the same rows several times. */
const decoded = new Map<string, readonly Buffer[]>();
const MOST_DECODED = 20_000;

function decode(text: string, encoding: 'hex' | 'base64'): readonly Buffer[] {
  const key = `${encoding} ${text}`;
  let found = decoded.get(key);
  if (found === undefined) {
    found = unpack(Buffer.from(text, encoding));
    if (decoded.size >= MOST_DECODED) decoded.clear();
    decoded.set(key, found);
  }
  return found;
}

/** The bytes in lower case, and everything they may have been compressed from. */
function unpack(bytes: Buffer): Buffer[] {
  const inflated = [
    () => inflateRawSync(bytes),
    () => inflateRawSync(bytes.subarray(1)),
    () => zstdDecompressSync(bytes),
  ].flatMap((open) => {
    try {
      return [open()];
    } catch {
      return []; // not compressed with this method
    }
  });
  return [bytes, ...inflated].flatMap((one) => [one, lowerCase(one)]);
}

function lowerCase(bytes: Buffer): Buffer {
  return Buffer.from(
    bytes.toString('latin1').replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    'latin1',
  );
}
