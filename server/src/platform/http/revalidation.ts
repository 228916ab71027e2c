// Conditional reads: a client that has the current version of a response gets 304, mostly before anything but the user is read.
import { crc32 } from 'node:zlib';

/** Thrown to end a request early with 304. */
export class NotModified extends Error {}

/**
 * A weak tag: the same version means the same content, but not the same bytes. `version` is what the response depends on besides
 * the URL and must be valid in a header. The tag includes the URL, because some clients keep one tag for several URLs.
 */
export function makeEntityTag(url: string, form: number, version: string): string {
  return `W/"${form}-${crc32(url).toString(36)}-${version}"`;
}

/** RFC 9110, 13.1.2: a list of tags or a star, compared weakly. */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((listed) => {
    const candidate = listed.trim();
    return candidate === '*' || candidate.replace(/^W\//, '') === tag.replace(/^W\//, '');
  });
}
