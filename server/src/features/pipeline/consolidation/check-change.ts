// Validates a change of consolidation settings. One invalid entry rejects the whole change.
import { findConsolidationKey } from '../../../domain/consolidate/consolidation-keys.ts';
import { isMethodAllowed, type SettingsChange } from '../../../domain/consolidate/consolidation-rules.ts';
import { AppError } from '../../../platform/errors.ts';

export function checkChange(change: SettingsChange, connected: readonly string[]): void {
  const keys = Object.entries(change.metrics);
  const isEmpty =
    Object.keys(change.providers).length === 0 &&
    keys.every(([, one]) => one.method === undefined && Object.keys(one.providers ?? {}).length === 0);
  if (isEmpty) {
    const message = 'must change at least one method or provider';
    throw new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
  }
  const unknown = keys.map(([key]) => key).filter((key) => findConsolidationKey(key) === null);
  if (unknown.length > 0) throw new AppError('unknown_consolidation_key', { details: { unsupported: unknown } });
  const disallowed = keys.flatMap(([key, { method }]) => {
    const configured = findConsolidationKey(key);
    if (configured === null || method === undefined || method === null) return [];
    if (isMethodAllowed(configured, method)) return [];
    const allowed = configured.allowedMethods.join(', ');
    return [{ path: `metrics.${key}.method`, message: `${method} is not allowed; use one of: ${allowed}` }];
  });
  if (disallowed.length > 0) throw new AppError('invalid_method', { details: { issues: disallowed } });
  const named = [...keys.flatMap(([, { providers = {} }]) => Object.keys(providers)), ...Object.keys(change.providers)];
  const notConnected = [...new Set(named)].filter((provider) => !connected.includes(provider));
  if (notConnected.length > 0)
    throw new AppError('invalid_provider', { details: { unsupported: notConnected, connected: [...connected] } });
}
