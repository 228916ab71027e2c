// Formats the consolidation catalog and a user's effective configuration for the API. Pure.
import { CATEGORY_NAMES, CONSOLIDATION_KEYS } from '../../../domain/consolidate/consolidation-keys.ts';
import { type ConsolidationSettings, createRules } from '../../../domain/consolidate/consolidation-rules.ts';

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
  const rules = createRules(settings);
  return {
    providers: connected.map((provider) => ({ provider, enabled: rules.isProviderOn(provider) })),
    metrics: CONSOLIDATION_KEYS.map((key) => ({
      key: key.key,
      category: CATEGORY_NAMES[key.category] ?? '',
      default_method: key.defaultMethod,
      method: rules.methodOf(key),
      overridden: rules.isOverridden(key),
      providers: connected.map((provider) => ({ provider, enabled: rules.isEnabled(key, provider) })),
    })),
  };
}
