// The list of keys: keys with settings first, then keys whose sources differ, then all others. Pure.
import type { EditedKey } from './draft.ts';

export type KeyGroup = { readonly name: 'changed' | 'differs' | 'others'; readonly keys: readonly EditedKey[] };

export function groupKeys(keys: readonly EditedKey[], text: string): KeyGroup[] {
  const found = keys.filter((key) => matches(key, text.trim().toLowerCase()));
  const nameOf = ({ changed, differs }: EditedKey) => (changed ? 'changed' : differs ? 'differs' : 'others');
  return (['changed', 'differs', 'others'] as const)
    .map((name) => ({ name, keys: found.filter((key) => nameOf(key) === name) }))
    .filter(({ keys: ofGroup }) => ofGroup.length > 0);
}

function matches({ name, metrics }: EditedKey, text: string): boolean {
  return [name, ...metrics.map((metric) => metric.name)].some((one) => one.toLowerCase().includes(text));
}

/** The key that opens without an address: the first in the list. */
export function pickKey(keys: readonly EditedKey[], wanted: string | undefined): EditedKey | undefined {
  return keys.find(({ key }) => key === wanted) ?? groupKeys(keys, '')[0]?.keys[0];
}
