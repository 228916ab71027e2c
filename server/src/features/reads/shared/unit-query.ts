// Query parameters that all reads share.
import { UNIT_SYSTEMS } from '../../../domain/metrics/present-value.ts';
import { oneOfWords } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const unitSystemQuery = {
  unit_system: Type.Optional(oneOfWords(UNIT_SYSTEMS, { description: 'default metric' })),
};
export const includeSourcesQuery = {
  include_sources: Type.Optional(Type.Boolean({ description: 'name the device behind each value; default false' })),
};
