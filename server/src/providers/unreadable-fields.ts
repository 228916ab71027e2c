// What of a record could not be read. Inside a record a bad field is dropped and counted; everywhere else (envelopes, tokens,
// provider webhooks) it is an error, because there nothing can go on without it.
import { ProviderAnswerError } from './provider-answer-error.ts';

/** By the provider's name of the field; `record` counts records that were dropped whole. Never holds a value. */
export type Unreadable = Map<string, number>;

/** Mapping is synchronous, so the record that is being read is one at a time. */
let ofRecord: Unreadable | null = null;

/** Reads one record. A record without something that it cannot exist without is dropped, and the next one can be read. */
export function readRecord(unreadable: Unreadable, read: () => void): void {
  const outer = ofRecord;
  ofRecord = unreadable;
  try {
    read();
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    count(unreadable, 'record');
  } finally {
    ofRecord = outer;
  }
}

/** Null for a part of a record that cannot be read without one of its fields, such as a hypnogram. Elsewhere the error stands. */
export function readOptional<Value>(name: string, read: () => Value): Value | null {
  if (ofRecord === null) return read();
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    return rejectField(name, 'is incomplete');
  }
}

/** Null inside a record, ProviderAnswerError elsewhere. */
export function rejectField(name: string, problem: string): null {
  if (ofRecord === null) throw new ProviderAnswerError(`${name} ${problem}`);
  count(ofRecord, name);
  return null;
}

function count(unreadable: Unreadable, name: string): void {
  unreadable.set(name, (unreadable.get(name) ?? 0) + 1);
}
