// A cookie remembers the last account of a browser, like a login at a real provider, so that the same account can be
// connected again.
import { DAY_SECONDS } from '../../domain/time/durations.ts';
import type { RawRequest } from '../../platform/http/raw-route.ts';
import type { ClaimSigner, Claims } from '../signed-claims.ts';

const COOKIE = 'simulated_account';
const VISIT_SECONDS = 90 * DAY_SECONDS;

type VisitContext = {
  readonly dialect: { readonly id: string };
  readonly signer: ClaimSigner;
  readonly url: string;
  now(): Date;
};

/** The account. Null: no earlier visit, or a forged cookie. */
export function readVisit(
  { dialect, signer, now }: VisitContext,
  { headers }: Pick<RawRequest, 'headers'>,
): Pick<Claims, 'seed' | 'person'> | null {
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(`${COOKIE}=`));
  if (pair === undefined) return null;
  const claims = signer.open(pair.slice(COOKIE.length + 1), { use: 'visit', provider: dialect.id }, now());
  return claims && { seed: claims.seed, ...(claims.person && { person: claims.person }) };
}

export function writeVisit({ signer, url, now }: VisitContext, consent: Claims): string {
  const { protocol, pathname } = new URL(url);
  const visit = signer.sign({ ...consent, use: 'visit', scopes: [], endsMs: now().getTime() + VISIT_SECONDS * 1_000 });
  const secure = protocol === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${visit}; Path=${pathname}; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
