// The parameters by which a request shows its form (gap G-01), of all routes together.
import type { FormNames } from './platform/http/forms.ts';

export const FORM_NAMES: FormNames = {
  form1: new Set(['start_date', 'end_date', 'metrics', 'page', 'per_page', 'reference_id']),
  form1Hints: new Set(['unit_system', 'include_sources']),
  form2: new Set(['from_date', 'to_date', 'limit', 'cursor', 'external_ref']),
  form2WhereDeclared: new Set(['types']),
  // A user's reference (gap G-08).
  sameField: ['reference_id', 'external_ref'],
};
