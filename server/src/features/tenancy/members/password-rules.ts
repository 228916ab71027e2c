// The rules for a new password: at least 12 characters, and not a common password. Pure.
import { AppError } from '../../../platform/errors.ts';
import { Type } from '../../../platform/json-schema.ts';
import { isCommonPassword } from './common-passwords.ts';

const MIN_LENGTH = 12;
const MAX_LENGTH = 200; // longer than any phrase; limits the work of hashing

/** For wire schemas. A password that is only compared may have any length up to the maximum. */
export const passwordText = () => Type.String({ minLength: 1, maxLength: MAX_LENGTH });

/** Throws invalid_body with the reason. */
export function requireGoodPassword(password: string, own: { readonly email: string; readonly name: string }): void {
  if ([...password.normalize('NFKC')].length < MIN_LENGTH) throw invalid(`must have at least ${MIN_LENGTH} characters`);
  if (isCommonPassword(password, [own.email, own.name]))
    throw invalid('is easy to guess; use several words that do not belong together, or a password manager');
}

function invalid(message: string): AppError {
  return new AppError('invalid_body', { details: { issues: [{ path: 'password', message }] } });
}
