// The consolidation settings of a user, and the rules that follow from them for each metric.

import { isAdditive } from '../metrics/index.ts';
import type { Method, Metric } from '../metrics/metric.ts';
import { type ConsolidationKey, consolidationKeyOf } from './consolidation-keys.ts';

/** Only deviations from the defaults are stored, so that equal settings are equal objects. */
export type ConsolidationSettings = {
  readonly metrics: Readonly<Record<string, KeySettings>>;
  /** Providers that are disabled for all metrics. */
  readonly providersOff: readonly string[];
};
type KeySettings = {
  /** Null: the catalog's default. */
  readonly method: Method | null;
  readonly providersOff: readonly string[];
};

export const NO_SETTINGS: ConsolidationSettings = { metrics: {}, providersOff: [] };

type Configured = Metric | ConsolidationKey;

/** For a metric as it is consolidated, and for a key as it is presented. */
export type ConsolidationRules = {
  methodOf(configured: Configured): Method;
  /** A total that takes each quarter hour from one device. */
  isMerged(metric: Metric): boolean;
  /** A method was chosen for it, even if that is the default. */
  isOverridden(configured: Configured): boolean;
  /** False if the provider is disabled for all metrics or for this one. */
  isEnabled(configured: Configured, provider: string): boolean;
  isProviderOn(provider: string): boolean;
};

export function createRules(settings: ConsolidationSettings): ConsolidationRules {
  const settingsOf = (configured: Configured) => settings.metrics[keyOf(configured) ?? ''];
  const isProviderOn = (provider: string) => !settings.providersOff.includes(provider);
  const methodOf = (configured: Configured) =>
    narrow(configured, settingsOf(configured)?.method ?? configured.defaultMethod);
  return {
    methodOf,
    isMerged: (metric) => isAdditive(metric) && methodOf(metric) === 'merge',
    isOverridden: (configured) => (settingsOf(configured)?.method ?? null) !== null,
    isEnabled: (configured, provider) =>
      isProviderOn(provider) && !(settingsOf(configured)?.providersOff.includes(provider) ?? false),
    isProviderOn,
  };
}

function keyOf(configured: Configured): string | null {
  return 'key' in configured ? configured.key : consolidationKeyOf(configured);
}

/** A group is set as a whole; a metric that does not allow the method falls back to `priority`. */
function narrow(configured: Configured, method: Method): Method {
  return isMethodAllowed(configured, method) ? method : 'priority';
}

export function isMethodAllowed({ allowedMethods }: Configured, method: Method): boolean {
  return allowedMethods.includes(method);
}

/** A requested change; absent fields stay as they are. */
export type SettingsChange = {
  readonly metrics: Readonly<Record<string, KeyChange>>;
  readonly providers: Readonly<Record<string, boolean>>;
};
type KeyChange = {
  /** Null restores the default; undefined changes nothing. */
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

/** Ignores the order of keys, because a database that stores JSON may change it. */
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
