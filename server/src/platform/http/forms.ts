// Determines the form of a request (gap G-01).
import type { Form } from '../../domain/tenancy.ts';
import { AppError } from '../errors.ts';
import type { Dialect, Route } from './route.ts';

const FORM_1_NAMES = new Set(['start_date', 'end_date', 'metrics', 'page', 'per_page', 'reference_id']);
const FORM_1_HINTS = new Set(['unit_system', 'include_sources']); // ignored if anything else implies Form 2
const FORM_2_NAMES = new Set(['from_date', 'to_date', 'limit', 'cursor', 'external_ref']);

type Fields = Readonly<Record<string, unknown>>;
type Marks = { readonly form1: string[]; readonly hints: string[]; readonly form2: string[] };

export function selectForm(input: {
  route: Route;
  header: string | undefined;
  query: Fields;
  body: unknown;
  accountDefault: Form;
}): Form {
  const named = parseHeader(input.header);
  const { route, query, body } = input;
  const marks = collectMarks(route, query, isFields(body) ? body : {});
  if (named !== null) {
    const contradicts = named === 1 ? marks.form2 : marks.form1;
    if (contradicts.some((name) => !isSharedName(route, name))) throw mixedForms(marks, named);
    return named;
  }
  if (marks.form1.length > 0 && marks.form2.length > 0) throw mixedForms(marks, null);
  if (marks.form2.length > 0) return 2;
  if (marks.form1.length > 0 || marks.hints.length > 0) return 1;
  return ('both' in route.dialects ? undefined : route.dialects.bare) ?? input.accountDefault;
}

/** The form of error responses that are sent before the form is determined. Never throws. */
export function guessForm(header: unknown, fallback: Form): Form {
  return header === '1' ? 1 : header === '2' ? 2 : fallback;
}

function parseHeader(header: string | undefined): Form | null {
  if (header === undefined) return null;
  if (header === '1') return 1;
  if (header === '2') return 2;
  throw new AppError('invalid_form', { details: { header } });
}

function collectMarks(route: Route, query: Fields, body: Fields): Marks {
  // A user's reference can be sent under both names if they agree (gap G-08); then it does not imply a form.
  const isAgreedReference = body.reference_id !== undefined && body.reference_id === body.external_ref;
  const marksTypes = !('both' in route.dialects) && declares(route.dialects[2], 'types');
  const marks: Marks = { form1: [], hints: [], form2: [] };
  for (const fields of [query, body])
    for (const name of Object.keys(fields)) {
      if (isAgreedReference && (name === 'reference_id' || name === 'external_ref')) continue;
      if (FORM_1_NAMES.has(name)) marks.form1.push(name);
      else if (FORM_1_HINTS.has(name)) marks.hints.push(name);
      else if (FORM_2_NAMES.has(name) || (name === 'types' && marksTypes)) marks.form2.push(name);
    }
  return marks;
}

/** A route with one dialect has the same parameters in both forms, so they never contradict the header. */
function isSharedName(route: Route, name: string): boolean {
  return 'both' in route.dialects && declares(route.dialects.both, name);
}

function declares(dialect: Dialect<unknown, unknown>, name: string): boolean {
  return name in (dialect.query?.properties ?? {}) || name in (dialect.body?.properties ?? {});
}

function mixedForms(marks: Marks, header: Form | null): AppError {
  const details = { form_1: marks.form1, form_2: marks.form2, ...(header === null ? {} : { header }) };
  return new AppError('mixed_forms', { details });
}

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
