// Reads the master key from the setting of the operator or from the file in the data folder.
import type { MasterKey } from '../crypto/master-key.ts';
import { readMasterKey, replaceMasterKey } from '../data-folder.ts';

export type MasterKeySource =
  | { readonly kind: 'environment'; read(): MasterKey }
  | { readonly kind: 'file'; read(): MasterKey; replace(key: MasterKey): Promise<void> };

export function masterKeySource({
  masterKey,
  dataDir,
}: {
  masterKey: MasterKey | null;
  dataDir: string;
}): MasterKeySource {
  if (masterKey) return { kind: 'environment', read: () => masterKey };
  return {
    kind: 'file',
    read: () => readMasterKey(dataDir),
    replace: (key) => replaceMasterKey(dataDir, key),
  };
}
