// JSON as providers send it, without losing a digit of a whole number that is too large for a double: it becomes a text.
import { ProviderAnswerError } from './contract.ts';

const LONG_NUMBER = /\d{16}/;
const WHOLE_NUMBER = /^-?\d+$/;

export function parseJson(text: string): unknown {
  try {
    // The reviver costs several times as much as the rest.
    return LONG_NUMBER.test(text) ? (JSON.parse as ParseWithSource)(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new ProviderAnswerError('the body is no JSON');
  }
}

export function parseJsonBytes(body: Uint8Array): unknown {
  return parseJson(new TextDecoder().decode(body));
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
type ParseWithSource = (text: string, reviver: Reviver) => unknown;

function keepDigits(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !WHOLE_NUMBER.test(source)) return value;
  return source;
}
