// Reads the fields of a form on a hosted page.
import type { RawRequest } from '../http/raw-exchange.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Empty if the body is not a form. */
export function readForm({ headers, body }: RawRequest): URLSearchParams {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return new URLSearchParams(type.trim().toLowerCase() === FORM_TYPE ? body.toString('utf8') : '');
}
