// How a person's values are chosen: what was set, and what follows from it for each metric.

import type { Method, Metric } from '../metrics/metric.ts';
import { consolidationKeyOf } from './consolidation-keys.ts';

/** Only what differs from the defaults is kept, so that equal settings are equal objects. */
export type ConsolidationSettings = {
  readonly metrics: Readonly<Record<string, KeySettings>>;
  /** Providers that are off everywhere. */
  readonly providersOff: readonly string[];
};
export type KeySettings = {
  /** Null: the default of the catalog. */
  readonly method: Method | null;
  readonly providersOff: readonly string[];
};

export const NO_SETTINGS: ConsolidationSettings = { metrics: {}, providersOff: [] };

export type ConsolidationRules = {
  methodOf(metric: Metric): Method;
  /** For one metric: false where the provider is off everywhere, or for it. */
  isEnabled(metric: Metric, provider: string): boolean;
  isProviderOn(provider: string): boolean;
};

export function createRules(settings: ConsolidationSettings): ConsolidationRules {
  const settingsOf = (metric: Metric) => settings.metrics[consolidationKeyOf(metric) ?? ''];
  const isProviderOn = (provider: string) => !settings.providersOff.includes(provider);
  return {
    methodOf: (metric) => narrow(metric, settingsOf(metric)?.method ?? metric.defaultMethod),
    isEnabled: (metric, provider) =>
      isProviderOn(provider) && !(settingsOf(metric)?.providersOff.includes(provider) ?? false),
    isProviderOn,
  };
}

export const DEFAULT_RULES: ConsolidationRules = createRules(NO_SETTINGS);

/** A group is set as a whole: what one of its metrics cannot do, it does by rank. */
function narrow(metric: Metric, method: Method): Method {
  return metric.allowedMethods.includes(method) ? method : 'priority';
}

/** A change as it is asked for: what is left out stays. */
export type SettingsChange = {
  readonly metrics: Readonly<Record<string, KeyChange>>;
  readonly providers: Readonly<Record<string, boolean>>;
};
export type KeyChange = {
  /** Null restores the default; undefined leaves it. */
  readonly method?: Method | null | undefined;
  readonly providers?: Readonly<Record<string, boolean>> | undefined;
};

export function changeSettings(before: ConsolidationSettings, change: SettingsChange): ConsolidationSettings {
  const metrics = new Map(Object.entries(before.metrics));
  for (const [key, requested] of Object.entries(change.metrics)) {
    const present = metrics.get(key) ?? { method: null, providersOff: [] };
    metrics.set(key, {
      method: requested.method === undefined ? present.method : requested.method,
      providersOff: switchProviders(present.providersOff, requested.providers ?? {}),
    });
  }
  const kept = [...metrics].filter(([, { method, providersOff }]) => method !== null || providersOff.length > 0);
  return {
    metrics: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))),
    providersOff: switchProviders(before.providersOff, change.providers),
  };
}

/** Whatever the order of keys: a database that stores JSON has its own. */
export function isSameSettings(one: ConsolidationSettings, other: ConsolidationSettings): boolean {
  return writeInOrder(one) === writeInOrder(other);
}

function writeInOrder({ metrics, providersOff }: ConsolidationSettings): string {
  const keys = Object.entries(metrics).map(([key, own]) => [key, own.method, [...own.providersOff].sort()] as const);
  return JSON.stringify([keys.sort(([a], [b]) => (a < b ? -1 : 1)), [...providersOff].sort()]);
}

function switchProviders(off: readonly string[], change: Readonly<Record<string, boolean>>): string[] {
  const result = new Set(off);
  for (const [provider, isOn] of Object.entries(change)) {
    if (isOn) result.delete(provider);
    else result.add(provider);
  }
  return [...result].sort();
}
