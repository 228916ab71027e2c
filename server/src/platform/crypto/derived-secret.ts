// Secrets of ours that others have to know (a notice's path, an application of the simulator): the same for one purpose, each time.
import { createHmac } from 'node:crypto';

export type DerivedSecrets = { of(purpose: string): string };

export function createDerivedSecrets(key: () => Buffer): DerivedSecrets {
  return { of: (purpose) => createHmac('sha256', key()).update(purpose).digest('base64url') };
}
