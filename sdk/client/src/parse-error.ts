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
  return new (ErrorClass ?? ApiError)({ ...answer, ...body });
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
