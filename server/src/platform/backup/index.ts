export { readOneHost } from './copy-client.ts';
export { loadCopy } from './load-copy.ts';
export type { Manifest } from './manifest.ts';
export { checkBackup, openBackup } from './open-backup.ts';
export { withSnapshot } from './snapshot.ts';
export { writeBackup } from './write-backup.ts';
