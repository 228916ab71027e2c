// The app schemes that users of an account may be redirected to. Pure.
import { AppError } from '../../../platform/errors.ts';
import { isAppScheme } from './app-schemes.ts';

const MAX_SCHEMES = 20; // one per app; accounts have few apps

export type SchemesChange = (before: readonly string[]) => readonly string[];

export function addScheme(text: string): SchemesChange {
  const scheme = parseScheme(text);
  return (before) => [...before, scheme];
}

export function removeScheme(text: string): SchemesChange {
  return (before) => before.filter((scheme) => scheme !== text.toLowerCase());
}

export function replaceSchemes(texts: readonly string[]): SchemesChange {
  const schemes = texts.map(parseScheme);
  return () => schemes;
}

/** Sorted, each once. */
export function checkSchemes(schemes: readonly string[]): readonly string[] {
  const distinct = [...new Set(schemes)].sort();
  if (distinct.length > MAX_SCHEMES) throw invalid(`must not exceed ${MAX_SCHEMES} schemes`);
  return distinct;
}

function parseScheme(text: string): string {
  const scheme = text.replace(/:(\/\/)?$/, '').toLowerCase();
  if (isAppScheme(scheme)) return scheme;
  throw invalid('is not an app scheme; use a scheme that only your app has, such as myapp://');
}

function invalid(message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: 'scheme', message }] } });
}
