// Every provider with the application that an environment of an account uses, and its health.
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { CLOUD_PROVIDERS } from '../../../providers/registry.ts';
import { isOperatorsApp, listApps, type ProviderAppServices, redirectUriOf } from '../../clouds/provider-apps/index.ts';
import { presentLimits } from '../../store/devices/index.ts';
import { type ProviderHealth, readProviderHealth } from './provider-health.ts';

export type ListedProvider = {
  readonly provider: CloudProvider;
  /** Null: users cannot connect. */
  readonly application: 'account' | 'operator' | 'simulator' | null;
  /** Only of the account's own application. */
  readonly clientId: string | null;
  readonly redirectUri: string;
  readonly health: ProviderHealth;
  readonly limits: ReturnType<typeof presentLimits>;
};

export async function listProviders(
  services: ProviderAppServices & Pick<Services, 'clock'>,
  tenant: Tenant,
): Promise<ListedProvider[]> {
  const [apps, health] = await Promise.all([listApps(services, tenant), readProviderHealth(services, tenant)]);
  return CLOUD_PROVIDERS.flatMap((provider) => {
    const app = apps.find((one) => one.provider.id === provider.id) ?? null;
    const found = health.get(provider.id);
    if (found === undefined) return [];
    const isOwn = app !== null && !isOperatorsApp(services, app);
    const shared = tenant.environment === 'sandbox' ? 'simulator' : 'operator';
    return {
      provider,
      application: app === null ? null : isOwn ? 'account' : shared,
      clientId: isOwn ? app.client.clientId : null,
      redirectUri: redirectUriOf(services, provider),
      health: found,
      limits: presentLimits(provider, services.settings),
    };
  });
}
