// Ids of exported documents: the same record has the same id in every export, so that importers can replace it.
import { hash } from 'node:crypto';

/** A UUID (version 8) from the hash of what identifies the record. */
export function stableId(...parts: readonly (string | number)[]): string {
  const hex = hash('sha256', parts.join('\n'), 'hex');
  const variant = (Number.parseInt(hex[16] ?? '0', 16) & 3) | 8;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
