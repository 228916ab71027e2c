// The decrypted keys of the deployment in this process. Empty until the database is available.
import { deriveKey } from '../crypto/derive-key.ts';
import type { SealingKeys } from '../crypto/secret-envelope.ts';
import { notUpYet } from '../db/database-errors.ts';
import { AppError } from '../errors.ts';

export type DataKey = {
  readonly id: number;
  readonly secret: Buffer;
  /** Known to every running process, so that all can open what it seals. */
  readonly isSettled: boolean;
};

export type Keyring = SealingKeys & {
  /** Replaces all keys. */
  hold(keys: readonly DataKey[]): void;
  /** For keys that must never change, even if master and data keys are rotated. */
  derive(purpose: string): Buffer;
  /** Called if a secret uses an unknown key, which another process may have just created. */
  onUnknownKey(listener: (id: number) => void): void;
};

/** Only for key derivation; seals nothing. */
export const ROOT_ID = 0;
export const FIRST_DATA_KEY_ID = 1;

export function createKeyring(): Keyring {
  let held: ReadonlyMap<number, DataKey> = new Map();
  const derived = new Map<string, Buffer>();
  const listeners: ((id: number) => void)[] = [];

  function derive(purpose: string): Buffer {
    const root = held.get(ROOT_ID);
    if (!root) throw notUpYet();
    const key = derived.get(purpose) ?? deriveKey(root.secret, purpose);
    derived.set(purpose, key);
    return key;
  }

  return {
    hold(keys) {
      held = new Map(keys.map((key) => [key.id, key]));
      derived.clear();
    },
    derive,
    unnamedKey: () => derive('sealed secrets'),
    sealingKey() {
      const key = chooseSealingKey([...held.values()]);
      if (!key) throw notUpYet();
      return key;
    },
    openingKey(id) {
      const key = id === ROOT_ID ? undefined : held.get(id);
      if (key) return key.secret;
      for (const listener of listeners) listener(id);
      throw new AppError('unavailable', { cause: new Error(`no data key ${id}`) });
    },
    onUnknownKey: (listener) => void listeners.push(listener),
  };
}

/** The newest key that all processes know; on the first start the oldest. */
function chooseSealingKey(keys: readonly DataKey[]): DataKey | undefined {
  const sealing = keys.filter((key) => key.id !== ROOT_ID).sort((a, b) => a.id - b.id);
  return sealing.findLast((key) => key.isSettled) ?? sealing[0];
}
