// Throws if the operator has turned the sandbox environment off (TRIBUTARY_SANDBOX=off).
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';

export function requireSandbox({ settings }: Pick<Services, 'settings'>): void {
  if (!settings.isSandboxOn) throw new AppError('sandbox_disabled');
}
