// Query parameters that several reads share.
import { UNIT_SYSTEMS } from '../../../domain/metrics/present-value.ts';
import { oneOfWords, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const unitSystemQuery = {
  unit_system: withDefault(oneOfWords(UNIT_SYSTEMS, { description: 'units of the values' }), 'metric'),
};
export const includeSourcesQuery = {
  include_sources: withDefault(Type.Boolean({ description: 'include the device behind each value' }), false),
};

/** Parses comma-separated ids: trimmed, without empty ids and duplicates, in the requested order. */
export function parseIdList(text: string): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return [...new Set(ids)];
}
