// Tracks fields that cannot be read. Inside a record a bad field is dropped and counted; elsewhere (envelopes, tokens, provider
// webhooks) it is an error, because nothing can continue without it.
import { ProviderAnswerError } from './provider-answer-error.ts';

/** By the provider's name of the field; `record` counts dropped records. Never contains a value. */
export type Unreadable = Map<string, number>;

/** Mapping is synchronous, so only one record is read at a time. */
let ofRecord: Unreadable | null = null;

/** Reads one record after the other. A record without an essential field is dropped, and reading continues with the next. */
export function readRecords<Item>(unreadable: Unreadable, items: Iterable<Item>, read: (item: Item) => void): void {
  const outer = ofRecord;
  ofRecord = unreadable;
  try {
    for (const item of items) readRecord(unreadable, item, read);
  } finally {
    ofRecord = outer;
  }
}

function readRecord<Item>(unreadable: Unreadable, item: Item, read: (item: Item) => void): void {
  try {
    read(item);
  } catch (error) {
    if (!(error instanceof ProviderAnswerError)) throw error;
    count(unreadable, 'record');
  }
}

/** Null for an unreadable part of a record, such as a hypnogram. Outside of a record the error is thrown. */
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
