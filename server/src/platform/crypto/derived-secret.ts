// Secrets that we share with others (the path of provider webhooks, a simulated application), derived again at each use.
import { createHmac } from 'node:crypto';

export type DerivedSecrets = { of(purpose: string): string };

export function createDerivedSecrets(key: () => Buffer): DerivedSecrets {
  return { of: (purpose) => createHmac('sha256', key()).update(purpose).digest('base64url') };
}
