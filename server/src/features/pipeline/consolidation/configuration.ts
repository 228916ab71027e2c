// The catalog of consolidation and the configuration in force, as the API writes them. Pure.
import { CATEGORY_NAMES, CONSOLIDATION_KEYS } from '../../../domain/consolidate/consolidation-keys.ts';
import type { ConsolidationSettings } from '../../../domain/consolidate/consolidation-rules.ts';

export const CATALOG = {
  category_order: Object.values(CATEGORY_NAMES),
  metrics: CONSOLIDATION_KEYS.map((one) => ({
    key: one.key,
    display_name: one.displayName,
    category: CATEGORY_NAMES[one.category] ?? '',
    kind: one.kind,
    default_method: one.defaultMethod,
    allowed_methods: [...one.allowedMethods],
    members: one.metrics.map(({ id }) => id),
  })),
};

export type Configuration = ReturnType<typeof presentConfiguration>;

/** `connected`: providers with a device of the user, sorted. */
export function presentConfiguration(settings: ConsolidationSettings, connected: readonly string[]) {
  const isOn = (provider: string) => !settings.providersOff.includes(provider);
  return {
    providers: connected.map((provider) => ({ provider, enabled: isOn(provider) })),
    metrics: CONSOLIDATION_KEYS.map(({ key, category, defaultMethod }) => {
      const own = settings.metrics[key];
      return {
        key,
        category: CATEGORY_NAMES[category] ?? '',
        default_method: defaultMethod,
        method: own?.method ?? defaultMethod,
        overridden: (own?.method ?? null) !== null,
        providers: connected.map((provider) => ({
          provider,
          enabled: isOn(provider) && !(own?.providersOff.includes(provider) ?? false),
        })),
      };
    }),
  };
}
