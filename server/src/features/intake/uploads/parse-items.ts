// Parses one list of an upload item by item: returns valid items and reports invalid ones.
import { isDeepStrictEqual } from 'node:util';
import { type Item, openItem } from './item.ts';
import { addReject, type Rejects } from './reject.ts';
import { overLimit } from './upload-limits.ts';

export type ItemKind<Value> = {
  readonly list: string;
  readonly known: ReadonlySet<string>;
  /** Maximum of valid items per upload (upload-limits.ts). */
  readonly maxItems: number;
  /** The item is rejected if this returns null or sets a fault. */
  parse(item: Item): Value | null;
};

export function parseItems<Value>(kind: ItemKind<Value>, values: readonly unknown[], rejects: Rejects): Value[] {
  const good: Value[] = [];
  for (let index = 0; index < values.length; index += 1) {
    if (good.length === kind.maxItems) {
      addReject(rejects, kind.list, index, overLimit(`an upload may have at most ${kind.maxItems} of these`));
      continue;
    }
    const item = openItem(values[index], kind.known);
    const parsed = item.fault === null ? kind.parse(item) : null;
    if (item.fault !== null) addReject(rejects, kind.list, index, item.fault);
    else if (parsed !== null) good.push(parsed);
  }
  return good;
}

type KeptItems<Value> = {
  readonly kept: Value[];
  /** Items that repeat an earlier one exactly. */
  readonly duplicates: number;
  /** Items that a later one with other values replaces. */
  readonly replaced: number;
};

/** Of several items with the same identity the last one is kept. */
export function keepLast<Value>(values: readonly Value[], identify: (value: Value) => string): KeptItems<Value> {
  const kept = new Map<string, Value>();
  let duplicates = 0;
  for (const value of values) {
    const before = kept.get(identify(value));
    if (before !== undefined && isDeepStrictEqual(before, value)) duplicates += 1;
    kept.set(identify(value), value);
  }
  return { kept: [...kept.values()], duplicates, replaced: values.length - kept.size - duplicates };
}
