// Throws for the sandbox environment if the operator has turned it off (TRIBUTARY_SANDBOX=off).
import type { Environment } from '../../../domain/tenancy.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Services } from '../../../platform/services.ts';

export function requireEnvironment({ settings }: Pick<Services, 'settings'>, environment: Environment): void {
  if (environment === 'sandbox' && !settings.isSandboxOn) throw new AppError('sandbox_disabled');
}
