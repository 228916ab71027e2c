// A call in words.

import type { ApiKey } from '../../shared/query/keys-query.ts';
import type { Tone } from '../../shared/ui/pill.tsx';
import type { Request } from './queries.ts';
import { words } from './words.ts';

const FULL_BAR_MS = 1_000;

export function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** The path with the user's reference in place of its id: "/users/{ada}/daily?types=steps". */
export function shortPath({ path, reference_id, route }: Pick<Request, 'path' | 'reference_id' | 'route'>): string {
  const short = path.replace(/^\/v1(?=\/)/, '');
  return reference_id !== null && route.includes('/:user_id') ? short.replace('{id}', `{${reference_id}}`) : short;
}

/** Between 0 and 1; grows with the square root, so that short times differ. */
export function barOf(ms: number): number {
  return Math.min(1, Math.sqrt(Math.max(0, ms) / FULL_BAR_MS));
}

/** Paths contain {id} in place of ids, so the user's id is put back where it is known. */
export function writeCall({ method, path, route, user_id }: Request, origin: string): string {
  const known = user_id !== null && route.includes('/:user_id') ? path.replace('{id}', user_id) : path;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${origin}${known}'`,
    '-H "Authorization: Bearer $TRIBUTARY_API_KEY"',
  ];
  if (method !== 'GET' && method !== 'DELETE') lines.push('-H "Content-Type: application/json"', "-d '…'");
  return lines.join(' \\\n  ');
}

export function describeCredential({ kind, id }: Request['credential'], keys: readonly ApiKey[]): string {
  if (kind !== 'api_key') return words.credentials[kind];
  const key = keys.find((one) => one.id === id);
  return key === undefined ? words.oldKey : words.key(key.name, key.last_four);
}

/** 980 B, 12.4 kB, 3.1 MB */
export function describeBytes(bytes: number | null): string {
  if (bytes === null) return words.streamed;
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
