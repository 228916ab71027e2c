// Limits of a JSON text, counted on its bytes before it is parsed: parsing costs memory and time per value and per key, so
// a small compressed body must not expand to millions of them.
import { AppError } from '../errors.ts';

export type JsonLimits = {
  /** Objects and arrays. */
  readonly containers: number;
  /** Keys and values: everything between brackets, commas and colons. */
  readonly values: number;
  readonly keys: number;
  readonly keysPerObject: number;
  readonly depth: number;
};

/** Twice the largest map of the API: a metadata update can have 100 keys. */
const KEYS_PER_OBJECT = 200;
const DEPTH = 32; // the deepest body of the API has seven levels

/** For bodies of at most 1 MiB, where only keys are expensive. */
export const BODY_LIMITS: JsonLimits = {
  containers: 100_000,
  values: 200_000,
  keys: 4_000, // settings of 100 metrics for 32 providers
  keysPerObject: KEYS_PER_OBJECT,
  depth: DEPTH,
};

/** 20 MB of the smallest useful samples are 370,000 objects with three values each. */
export const UPLOAD_LIMITS: JsonLimits = {
  containers: 524_288,
  values: 1_572_864,
  keys: 3_145_728, // samples have up to six
  keysPerObject: KEYS_PER_OBJECT,
  depth: DEPTH,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = 0x7b; // { and [ differ in the bit 0x20, as do } and ]
const CLOSING = 0x7d;

type JsonMeter = {
  /** Adds the next bytes of the text. Throws if a limit is exceeded. */
  add(bytes: Uint8Array): void;
};

/** Ignores invalid JSON, which the parser reports. */
export function createJsonMeter(limits: JsonLimits): JsonMeter {
  const keysOfLevel = new Int32Array(limits.depth + 1); // keys of the open object on each level
  const state = { depth: 0, containers: 0, values: 1, keys: 0, isInString: false, isEscaped: false };
  return {
    add(bytes) {
      let { depth, containers, values, keys, isInString, isEscaped } = state; // local variables make this loop several times faster
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index] as number;
        if (isInString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) isInString = false;
        } else if (byte === QUOTE) {
          isInString = true;
        } else if (byte === COMMA) {
          values += 1;
          if (values > limits.values) throw tooMany('values', limits.values);
        } else if (byte === COLON) {
          const count = (keysOfLevel[depth] as number) + 1;
          keysOfLevel[depth] = count;
          keys += 1;
          if (keys > limits.keys) throw invalid(`has more than ${limits.keys} keys`);
          if (count > limits.keysPerObject) throw invalid(`has an object with more than ${limits.keysPerObject} keys`);
        } else if ((byte | 0x20) === OPENING) {
          containers += 1;
          depth += 1;
          if (containers > limits.containers) throw tooMany('containers', limits.containers);
          if (depth > limits.depth) throw invalid(`is nested more than ${limits.depth} levels deep`);
          keysOfLevel[depth] = 0;
        } else if ((byte | 0x20) === CLOSING && depth > 0) {
          depth -= 1;
        }
      }
      Object.assign(state, { depth, containers, values, keys, isInString, isEscaped });
    },
  };
}

function tooMany(what: 'values' | 'containers', limit: number): AppError {
  return new AppError('payload_too_large', { details: { [`limit_${what}`]: limit } });
}

function invalid(message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}
