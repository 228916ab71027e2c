// Explains the problem of an Authorization header. Never repeats the header, which may contain a secret.
const EXAMPLE = 'Send "Authorization: Bearer <token>"';

/** Null if it is well-formed. */
export function explainAuthorization(header: string): string | null {
  const [scheme = '', ...rest] = header.trim().split(/\s+/);
  if (!/^bearer$/i.test(scheme)) {
    if (/^bearer\W/i.test(scheme)) return `The Authorization header must have only a space after "Bearer". ${EXAMPLE}.`;
    if (rest.length === 0) return `The Authorization header has no "Bearer" before the token. ${EXAMPLE}.`;
    return `The Authorization header must use the Bearer scheme. ${EXAMPLE}.`;
  }
  const [token] = rest;
  if (token === undefined) return `The Authorization header has no token after "Bearer". ${EXAMPLE}.`;
  if (rest.length > 1 || token.includes(','))
    return `The Authorization header must have one token after "Bearer", without spaces or commas. ${EXAMPLE}.`;
  if (/^["'<]|["'>]$/.test(token)) return `The token is in quotes or brackets. ${EXAMPLE} without them.`;
  return null;
}
