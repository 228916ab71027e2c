export { createKeyKeeper, type KeyKeeper, type Rotation } from './key-keeper.ts';
export { createKeyring, type Keyring } from './keyring.ts';
export { type MasterKeySource, masterKeySource } from './master-key-source.ts';
export { readKeys, WrongMasterKeyError } from './open-keys.ts';
export { type KnownMasterKey, listMasterKeys } from './store.ts';
