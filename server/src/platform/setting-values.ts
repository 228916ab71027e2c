// Reads the text of one setting. Throws a text that completes the name of its variable.
import { type MasterKey, parseMasterKey } from './crypto/master-key.ts';
import { parseDatabaseUrl } from './db/database-url.ts';
import { RESERVED_SMTP_PARAMETERS, STARTTLS_CHOICES } from './mail/mailer.ts';

export function readInteger(text: string, minimum: number, maximum: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= minimum && value <= maximum))
    throw new Error(`is "${text}"; set it to a whole number from ${minimum} to ${maximum}.`);
  return value;
}

export function readRatio(text: string): number {
  const value = /^(0|1|0?\.\d+|[01]\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new Error(`is "${text}"; set it to a number from 0 to 1.`);
  return value;
}

export function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return Object.fromEntries(pairs.map(readHeader));
}

/** The message does not repeat the text, which can contain a credential. */
function readHeader(text: string): [string, string] {
  const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)$/.exec(text) ?? [];
  try {
    if (name !== undefined) return [name.toLowerCase(), decodeURIComponent(value)];
  } catch {
    // not percent-encoded
  }
  throw new Error('is not a list of headers; write NAME=VALUE, separated by commas, with values percent-encoded.');
}

export function readUrl(text: string, protocols: readonly string[]): string {
  const choices = protocols.map((protocol) => `${protocol}//`).join(' or ');
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error(
      `is not a URL; set it to one that begins with ${choices}. Write characters such as # / ? in a password as %23 %2F %3F.`,
    );
  return text;
}

/** Throws if it cannot be used. */
export function readDatabaseUrl(text: string): string {
  parseDatabaseUrl(text);
  return text;
}

export function readSmtpUrl(text: string): string {
  const { protocol, searchParams } = new URL(readUrl(text, ['smtp:', 'smtps:']));
  const starttls = searchParams.get('starttls');
  const choices: readonly string[] = STARTTLS_CHOICES;
  if (starttls !== null && protocol === 'smtps:')
    throw new Error('has starttls in its query; remove it, as smtps:// is encrypted from the start.');
  if (starttls !== null && !choices.includes(starttls))
    throw new Error(`has starttls=${starttls}; set it to one of ${choices.join(', ')}.`);
  const reserved = RESERVED_SMTP_PARAMETERS.find((name) => searchParams.has(name));
  if (reserved) throw new Error(`has ${reserved} in its query; use starttls=${choices.join('|')} instead.`);
  return text;
}

/** Links are built by appending a path to it. */
export function readPublicUrl(text: string): string {
  const { username, password, search, hash } = new URL(readUrl(text, ['http:', 'https:']));
  if (username !== '' || password !== '')
    // it is part of the links that people receive
    throw new Error('has a user name or password; set it to a host and optionally a path.');
  if (search !== '' || hash !== '')
    throw new Error('has a query or a fragment; set it to a host and optionally a path.');
  return text.replace(/^\w+/, (scheme) => scheme.toLowerCase()).replace(/\/+$/, ''); // https: makes cookies secure
}

export function readFlag(text: string): boolean {
  if (text !== '0' && text !== '1') throw new Error(`is "${text}"; set it to 0 or 1.`);
  return text === '1';
}

export function readWord<Word extends string>(text: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === text);
  if (!word) throw new Error(`is "${text}"; set it to one of ${words.join(', ')}.`);
  return word;
}

export function readMasterKey(text: string | null): MasterKey | null {
  if (text === null) return null;
  const key = parseMasterKey(text);
  if (!key) throw new Error('is not 32 bytes in base64 or hex; generate one with: openssl rand -base64 32');
  return key;
}

/** Comma-separated, without empty parts. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

export function readWords<Word extends string>(text: string, words: readonly Word[]): ReadonlySet<Word> {
  return new Set(splitList(text).map((word) => readWord(word, words)));
}
