// Settings of a key that are chosen, not applied, and what has to be sent to apply and to undo them. Pure.
import type { Replies } from '../../api/types.gen.ts';
import { providerName } from '../../shared/user/devices.ts';
import { METHOD_NAMES, type Method } from '../../shared/words/methods.ts';
import { words } from './words.ts';

/** A key with its settings, as the page reads it. */
export type EditedKey = Replies['readConsolidationEditor']['keys'][number];

export type Draft = { readonly method: Method; readonly off: readonly string[] };

/** As the body of the call that changes settings. */
export type KeyChange = {
  readonly method?: Method | null;
  readonly providers?: Readonly<Record<string, boolean>>;
};

/** The settings in force, overridden by those in the address. */
export function readDraft(key: EditedKey, search: { readonly method?: string; readonly off?: string }): Draft {
  const method = key.allowed_methods.find((allowed) => allowed === search.method) ?? key.method;
  const known = key.providers.map(({ provider }) => provider);
  const off = search.off?.split(',').filter((provider) => known.includes(provider));
  return { method, off: off ?? listOff(key) };
}

export function listOff({ providers }: Pick<EditedKey, 'providers'>): string[] {
  return providers.filter(({ enabled }) => !enabled).map(({ provider }) => provider);
}

/** Null: the draft equals the settings in force. The default method is sent as null, so that the key follows the catalog again. */
export function toChange(key: EditedKey, { method, off }: Draft): KeyChange | null {
  const switched = key.providers.filter(({ provider, enabled }) => enabled === off.includes(provider));
  const change: KeyChange = {
    ...(method !== key.method && { method: method === key.default_method ? null : method }),
    ...(switched.length > 0 && {
      providers: Object.fromEntries(switched.map(({ provider, enabled }) => [provider, !enabled])),
    }),
  };
  return Object.keys(change).length === 0 ? null : change;
}

/** Brings back what `change` replaces. */
export function toUndo(key: EditedKey, change: KeyChange): KeyChange {
  const enabledOf = new Map(key.providers.map(({ provider, enabled }) => [provider, enabled]));
  const names = Object.keys(change.providers ?? {});
  return {
    ...(change.method !== undefined && { method: key.overridden ? key.method : null }),
    ...(names.length > 0 && {
      providers: Object.fromEntries(names.map((provider) => [provider, enabledOf.get(provider) ?? true])),
    }),
  };
}

/** The settings of the catalog. Providers that are disabled for all keys stay so. */
export function toDefaults(key: EditedKey, disabledForAll: readonly string[]): Draft {
  return { method: key.default_method, off: [...disabledForAll] };
}

/** priority → merge, Oura disabled */
export function describeDraft(key: EditedKey, { method, off }: Draft): string {
  const switched = key.providers.filter(({ provider, enabled }) => enabled === off.includes(provider));
  return [
    ...(method === key.method ? [] : [`${METHOD_NAMES[key.method]} → ${METHOD_NAMES[method]}`]),
    ...switched.map(({ provider, enabled }) =>
      enabled ? words.disabledNow(providerName(provider)) : words.enabledNow(providerName(provider)),
    ),
  ].join(', ');
}

export function countChanges(change: KeyChange): number {
  return (change.method === undefined ? 0 : 1) + Object.keys(change.providers ?? {}).length;
}
