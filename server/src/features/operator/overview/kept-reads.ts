// Caches reads for a time, per database and environment, however many members look at them.
import { createBoundedMap } from '../../../domain/bounded-map.ts';
import type { Services } from '../../../platform/services.ts';

type Kept<Value> = { readonly version: number; readonly untilMs: number; readonly value: Promise<Value> };

type KeptRead<Value> = {
  /** Names the account, the environment and the read. */
  readonly key: string;
  /** A value of another version is read again. */
  readonly version?: number;
  read(): Promise<Value>;
};

type Options<Value> = {
  readonly keptMs: number;
  /** Values at once. */
  readonly limit: number;
  /** Others are read again by the next call. */
  isKept?(value: Value): boolean;
};

type KeepRead<Value> = (services: Pick<Services, 'clock' | 'db'>, read: KeptRead<Value>) => Promise<Value>;

export function createKeptReads<Value>({ keptMs, limit, isKept = () => true }: Options<Value>): KeepRead<Value> {
  const byDatabase = new WeakMap<object, Map<string, Kept<Value>>>();
  return ({ clock, db }, { key, version = 0, read }) => {
    const nowMs = clock.monotonicMs();
    const pool = db.pool(); // the same for all accounts of the process
    const all = byDatabase.getOrInsertComputed(pool, () => createBoundedMap<string, Kept<Value>>(limit));
    const known = all.get(key);
    if (known !== undefined && known.version === version && nowMs < known.untilMs) return known.value;
    const drop = () => {
      if (all.get(key) === kept) all.delete(key);
    };
    const kept: Kept<Value> = { version, untilMs: nowMs + keptMs, value: read() };
    all.set(key, kept);
    kept.value.then((value) => isKept(value) || drop(), drop);
    return kept.value;
  };
}
