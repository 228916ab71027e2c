// The fields of a form that a hosted page sent.
import type { RawRequest } from '../http/raw-exchange.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Empty for anything that is no form. */
export function readForm({ headers, body }: RawRequest): URLSearchParams {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return new URLSearchParams(type.trim().toLowerCase() === FORM_TYPE ? body.toString('utf8') : '');
}
