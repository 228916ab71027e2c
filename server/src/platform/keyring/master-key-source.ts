// Reads the master key from the setting of the operator or from the file in the data folder.
import type { MasterKey } from '../crypto/master-key.ts';
import { loadOrMakeMasterKey, readMasterKeyFile, replaceMasterKey } from '../data-folder.ts';

export type MasterKeySource = {
  read(): MasterKey;
  /** Only for a database that has no keys: it cannot use a new one otherwise. */
  readOrMake(): MasterKey;
} & ({ readonly kind: 'environment' } | { readonly kind: 'file'; replace(key: MasterKey): Promise<void> });

export function masterKeySource({
  masterKey,
  dataDir,
}: {
  masterKey: MasterKey | null;
  dataDir: string;
}): MasterKeySource {
  if (masterKey) return { kind: 'environment', read: () => masterKey, readOrMake: () => masterKey };
  return {
    kind: 'file',
    read: () => readMasterKeyFile(dataDir),
    readOrMake: () => loadOrMakeMasterKey(dataDir),
    replace: (key) => replaceMasterKey(dataDir, key),
  };
}
