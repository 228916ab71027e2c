// Formats the consolidation catalog and a user's effective configuration for the API. Pure.
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

/** `connected`: the user's connected providers, sorted. */
export function presentConfiguration(settings: ConsolidationSettings, connected: readonly string[]) {
  const isEnabled = (provider: string) => !settings.providersOff.includes(provider);
  return {
    providers: connected.map((provider) => ({ provider, enabled: isEnabled(provider) })),
    metrics: CONSOLIDATION_KEYS.map(({ key, category, defaultMethod }) => {
      const ofKey = settings.metrics[key];
      return {
        key,
        category: CATEGORY_NAMES[category] ?? '',
        default_method: defaultMethod,
        method: ofKey?.method ?? defaultMethod,
        overridden: (ofKey?.method ?? null) !== null,
        providers: connected.map((provider) => ({
          provider,
          enabled: isEnabled(provider) && !(ofKey?.providersOff.includes(provider) ?? false),
        })),
      };
    }),
  };
}
