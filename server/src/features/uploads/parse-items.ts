// One list of an upload, item by item: what is good is handed on, what is not is named.
import { type Item, openItem } from './item.ts';
import { addReject, type Rejects } from './reject.ts';
import { overLimit } from './upload-limits.ts';

export type ItemKind<Value> = {
  readonly list: string;
  readonly known: ReadonlySet<string>;
  /** Good ones in an upload (upload-limits.ts). */
  readonly maxItems: number;
  /** Null, or a fault left in the item: refused. */
  parse(item: Item): Value | null;
};

export function parseItems<Value>(kind: ItemKind<Value>, values: readonly unknown[], rejects: Rejects): Value[] {
  const good: Value[] = [];
  for (let index = 0; index < values.length; index += 1) {
    if (good.length === kind.maxItems) {
      addReject(rejects, kind.list, index, overLimit(`an upload takes ${kind.maxItems} of these`));
      continue;
    }
    const item = openItem(values[index], kind.known);
    const parsed = item.fault === null ? kind.parse(item) : null;
    if (item.fault !== null) addReject(rejects, kind.list, index, item.fault);
    else if (parsed !== null) good.push(parsed);
  }
  return good;
}

/** Of several with one identity the last stands. */
export function keepLast<Value>(values: readonly Value[], identify: (value: Value) => string): Value[] {
  const kept = new Map<string, Value>();
  for (const value of values) kept.set(identify(value), value);
  return [...kept.values()];
}
