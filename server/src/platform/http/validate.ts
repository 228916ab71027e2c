// Validates input against a schema and reports every problem with its path.
import type { TObject } from 'typebox';
import type { Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { findUnstorable } from '../../domain/storable-text.ts';
import type { ErrorCode } from '../error-codes.ts';
import { AppError, type Issue } from '../errors.ts';
import { validatorOf } from '../validator-of.ts';
import { expectationOf } from './schema.ts';

const MAX_ISSUES = 50; // enough to fix a request in one go, bounded for hostile input
Settings.Set({ maxErrors: MAX_ISSUES });

type RawError = { keyword: string; instancePath: string; params: Record<string, unknown>; message: string };

/** Keywords whose errors repeat an error that another keyword reports better. */
const REDUNDANT_KEYWORDS = new Set(['boolean', 'propertyNames']);

export function checkInput(schema: TObject, value: unknown, code: ErrorCode): void {
  const validator = validatorOf(schema);
  const isValid = validator.Check(value);
  // Only valid values are searched, so the schema bounds the depth.
  const unstorable = isValid ? findUnstorableText(value, '') : null;
  if (isValid && !unstorable) return;
  const issues = unstorable ? [unstorable] : toIssues(listErrors(validator, value), code);
  throw new AppError(code, { details: { issues } });
}

function listErrors(validator: Validator, value: unknown): readonly RawError[] {
  const [, errors] = validator.Errors(value);
  return errors as unknown as RawError[];
}

const defaults = new WeakMap<TObject, Readonly<Record<string, unknown>> | null>();

/** Fills in the defaults that the schema states. */
export function fillDefaults<Value extends object>(schema: TObject, value: Value): Value {
  const missing = defaults.getOrInsertComputed(schema, listDefaults);
  return missing === null ? value : { ...missing, ...value };
}

function listDefaults({ properties }: TObject): Readonly<Record<string, unknown>> | null {
  const stated = Object.entries(properties).flatMap(([name, { default: value }]: [string, { default?: unknown }]) =>
    value === undefined ? [] : [[name, value]],
  );
  return stated.length === 0 ? null : Object.fromEntries(stated);
}

/** Query values arrive as text: only well-formed numbers and booleans are converted. */
export function readQuery(schema: TObject, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(query).map(([name, value]) => {
    const type = Object.hasOwn(schema.properties, name)
      ? (schema.properties[name] as { type?: string }).type
      : undefined;
    return [name, typeof value === 'string' ? convert(type, value) : value];
  });
  return Object.fromEntries(entries); // an assignment would drop a parameter named __proto__ instead of rejecting it
}

function convert(type: string | undefined, text: string): unknown {
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function toIssues(errors: readonly RawError[], code: ErrorCode): Issue[] {
  const noun = code === 'invalid_parameter' ? 'parameter' : 'field';
  return errors.flatMap((error) => {
    const path = formatPath(error.instancePath);
    if (error.keyword === 'additionalProperties') {
      if (!isClosed(error.instancePath, errors)) return []; // a map: the errors of its values are reported separately
      const names = (error.params.additionalProperties ?? []) as string[];
      return names.map((name) => ({ path: join(path, name), message: `unknown ${noun}` }));
    }
    if (REDUNDANT_KEYWORDS.has(error.keyword)) return [];
    if (error.keyword === 'pattern' && isExplained(error, errors)) return [];
    if (error.keyword === 'required') {
      const names = (error.params.requiredProperties ?? []) as string[];
      return names.map((name) => ({ path: join(path, name), message: 'is required' }));
    }
    if (error.keyword === 'enum')
      return [{ path, message: `must be one of ${formatChoices(error.params.allowedValues)}` }];
    if (error.keyword === 'type') return [{ path, message: `must be ${formatTypes(error.params.type)}` }];
    return [{ path, message: describeProblem(error) }];
  });
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  'date-time': 'a time such as 2026-01-31T08:30:00Z',
  email: 'an email address',
  uri: 'a URL',
  uuid: 'a UUID',
};

/** The format or the length explains the problem better than the expression. */
function isExplained(error: RawError, errors: readonly RawError[]): boolean {
  return errors.some(
    ({ keyword, instancePath }) =>
      instancePath === error.instancePath && (keyword === 'format' || keyword === 'minLength'),
  );
}

function describeProblem({ keyword, params, message }: RawError): string {
  const format = FORMATS[String(params.format)];
  if (keyword === 'format' && format !== undefined) return `must be ${format}`;
  if (keyword === 'pattern') return expectationOf(String(params.pattern)) ?? message;
  if (params.limit !== 1) return message;
  if (keyword === 'minLength' || keyword === 'minItems') return 'must not be empty';
  return keyword === 'minProperties' ? 'must have at least one field' : message;
}

/** An unknown field of a closed object fails the schema `false`; in a map it fails the schema of the values. */
function isClosed(pointer: string, errors: readonly RawError[]): boolean {
  return errors.some(
    ({ keyword, instancePath }) =>
      keyword === 'boolean' && instancePath.slice(0, instancePath.lastIndexOf('/')) === pointer,
  );
}

/** Converts a JSON pointer: /profile/height_cm becomes profile.height_cm, /a/3 becomes a[3]. */
function formatPath(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : join(path, step)), '');
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function formatChoices(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : 'the documented values';
}

function formatTypes(type: unknown): string {
  const names = Array.isArray(type) ? type.map(String) : [String(type)];
  return names
    .map((name) => (/^[aio]/.test(name) ? `an ${name}` : name === 'null' ? 'null' : `a ${name}`))
    .join(' or ');
}

/** An ID with characters that cannot be stored cannot exist. */
export function requireStorableParams(params: Readonly<Record<string, string>>): void {
  if (findUnstorableText(params, '') !== null) throw new AppError('not_found');
}

function findUnstorableText(value: unknown, path: string): Issue | null {
  if (typeof value === 'string') {
    const message = findUnstorable(value);
    return message === null ? null : { path, message };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, item] of Object.entries(value)) {
    const index = Array.isArray(value) ? `${path}[${name}]` : join(path, name);
    const issue = findUnstorableText(name, index) ?? findUnstorableText(item, index);
    if (issue) return issue;
  }
  return null;
}
