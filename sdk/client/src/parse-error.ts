import { ApiError, type ApiErrorFields } from './api-error.ts';
import { ERROR_CLASSES } from './errors.gen.ts';

type Answer = Pick<ApiErrorFields, 'status' | 'requestId' | 'attempts'> & { readonly text: string };

/** An answer without our error body comes from a proxy, or from another service behind the URL. */
export function parseError({ text, ...answer }: Answer): ApiError {
  const body = parseBody(text);
  if (body === null) {
    const message = `The service answered ${answer.status} without an error code.`;
    return new ApiError({ ...answer, code: `http_${answer.status}`, message, details: {} });
  }
  const ErrorClass = Object.hasOwn(ERROR_CLASSES, body.code) ? ERROR_CLASSES[body.code] : undefined;
  return new (ErrorClass ?? ApiError)({ ...answer, ...body, message: describe(body) });
}

const MAX_LISTED = 3;

/** A logged error names the issues, instead of saying where to look for them. */
function describe({ message, details: { issues, unsupported } }: Pick<ApiErrorFields, 'message' | 'details'>): string {
  const list = Array.isArray(issues) ? issues.map(describeIssue) : Array.isArray(unsupported) ? unsupported : [];
  if (list.length === 0) return message;
  const others = list.length > MAX_LISTED ? ` and ${list.length - MAX_LISTED} more` : '';
  return `${message.replace(/ See details\.\w+\.$/, '')} ${list.slice(0, MAX_LISTED).join('; ')}${others}`;
}

function describeIssue(issue: { path?: unknown; message?: unknown }): string {
  return issue?.path ? `${issue.path}: ${issue.message}` : String(issue?.message);
}

function parseBody(text: string): Pick<ApiErrorFields, 'code' | 'message' | 'details'> | null {
  try {
    const { error, message, details } = JSON.parse(text);
    return typeof error === 'string' && typeof message === 'string'
      ? { code: error, message, details: typeof details === 'object' && details !== null ? details : {} }
      : null;
  } catch {
    return null;
  }
}
