// Conditional reads: a client that has the present version of an answer is told so (304) before anything is written, and mostly
// before anything but the user is read.
import { crc32 } from 'node:zlib';

/** Thrown to end a request early; no error. */
export class NotModified extends Error {}

/**
 * Weak: the same version says the same thing, if not in the same bytes. `version` is what the answer depends on beside the URL, in
 * letters that a header takes; the URL is in it for clients that keep one tag for several.
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
