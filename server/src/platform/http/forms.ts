// Determines the form of a request (gap G-01).
import type { Form } from '../../domain/tenancy.ts';
import { AppError } from '../errors.ts';
import type { Dialect, Route } from './route.ts';

/** Parameters, in the query or the body, that imply a form. */
export type FormNames = {
  readonly form1: ReadonlySet<string>;
  /** Imply Form 1 unless anything else implies Form 2. */
  readonly form1Hints: ReadonlySet<string>;
  readonly form2: ReadonlySet<string>;
  /** Imply Form 2 on routes whose Form 2 declares them. */
  readonly form2WhereDeclared: ReadonlySet<string>;
  /** Two names of one field: if a body has both with the same value, they imply no form. */
  readonly sameField: readonly [form1: string, form2: string];
};

const HEADER_MESSAGES = {
  1: 'The Api-Form header is 1, but details.form_2 lists parameters of Form 2. Use the names of Form 1, or send Api-Form: 2.',
  2: 'The Api-Form header is 2, but details.form_1 lists parameters of Form 1. Use the names of Form 2, or send Api-Form: 1.',
} as const;

type Fields = Readonly<Record<string, unknown>>;
type Marks = { readonly form1: string[]; readonly hints: string[]; readonly form2: string[] };

export function selectForm(input: {
  names: FormNames;
  route: Route;
  header: string | undefined;
  query: Fields;
  body: unknown;
  accountDefault: Form;
}): Form {
  const named = parseHeader(input.header);
  const { names, route, query, body } = input;
  const marks = collectMarks(names, route, query, isFields(body) ? body : {});
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

function collectMarks(names: FormNames, route: Route, query: Fields, body: Fields): Marks {
  const [inForm1, inForm2] = names.sameField;
  const isSame = body[inForm1] !== undefined && body[inForm1] === body[inForm2];
  const { dialects } = route;
  const isOfForm2 = (name: string) =>
    names.form2.has(name) ||
    (names.form2WhereDeclared.has(name) && !('both' in dialects) && declares(dialects[2], name));
  const marks: Marks = { form1: [], hints: [], form2: [] };
  for (const fields of [query, body])
    for (const name of Object.keys(fields)) {
      if (isSame && (name === inForm1 || name === inForm2)) continue;
      if (names.form1.has(name)) marks.form1.push(name);
      else if (names.form1Hints.has(name)) marks.hints.push(name);
      else if (isOfForm2(name)) marks.form2.push(name);
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
  return new AppError('mixed_forms', header === null ? { details } : { message: HEADER_MESSAGES[header], details });
}

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}
