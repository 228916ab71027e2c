// Parses one line of a bundle and checks its structure. Whether its values are possible is checked in map-records.ts.
import type { TObject } from 'typebox';
import { findUnstorable } from '../../../../domain/storable-text.ts';
import { AppError, type Issue } from '../../../../platform/errors.ts';
import { checkInput } from '../../../../platform/http/validate.ts';
import { validatorOf } from '../../../../platform/validator-of.ts';
import { BUNDLE_FORMAT, BUNDLE_VERSION } from './bundle-format.ts';
import { type BundleLine, LINE_SCHEMAS, type LineKind } from './line-schemas.ts';

/** A line that does not have the structure of a bundle: the whole file is refused. */
export class LineError extends Error {}

export function parseLine(value: unknown): BundleLine {
  const kind = (value as { line?: unknown } | null)?.line;
  if (typeof kind !== 'string') throw new LineError('is not a line of a bundle: it has no field "line"');
  if (!Object.hasOwn(LINE_SCHEMAS, kind))
    throw new LineError(`lines of the type ${JSON.stringify(kind)} are not known. Update this deployment first.`);
  if (kind === 'header') requireVersion(value as Readonly<Record<string, unknown>>);
  const problem = findProblem(kind as LineKind, value as object);
  if (problem !== null) throw new LineError(`${problem.path} ${problem.message}`);
  return value as BundleLine;
}

function requireVersion({ format, version }: Readonly<Record<string, unknown>>): void {
  if (format !== BUNDLE_FORMAT) throw new LineError('is not the header of a bundle');
  if (!Number.isInteger(version) || (version as number) < 1)
    throw new LineError(`version ${JSON.stringify(version)} is not a version of the format`);
  if ((version as number) > BUNDLE_VERSION)
    throw new LineError(
      `the bundle has version ${version}, and this software reads versions up to ${BUNDLE_VERSION}. Update this deployment first.`,
    );
}

function findProblem(kind: LineKind, value: object): Issue | null {
  const schema = LINE_SCHEMAS[kind] as TObject;
  // Describing a problem is slow, and so is a search for texts in thousands of samples.
  if (validatorOf(schema).Check(value) && kind !== 'user') return findUnstorableField(value);
  try {
    checkInput(schema, value, 'invalid_body');
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { issues } = error.details as { readonly issues?: readonly Issue[] };
    return issues?.[0] ?? { path: kind, message: 'is invalid' };
  }
}

function findUnstorableField(value: object): Issue | null {
  for (const [path, field] of Object.entries(value)) {
    const message = typeof field === 'string' ? findUnstorable(field) : null;
    if (message !== null) return { path, message };
  }
  return null;
}
