// Whether a form was sent from our own page. Elsewhere nobody has read what is shared, so nothing from there is a decision.
import type { RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';

/**
 * Browsers tell where a form stood, at the latest by `Origin`, which our pages hide (`null`) along with the referrer; then the cookie of
 * the page speaks, which no other site can send. What is no browser tells nothing and can be misled by no page.
 */
export function isOwnForm(
  { settings }: Pick<Services, 'settings'>,
  { headers }: Pick<RawRequest, 'headers'>,
  hasPageCookie: boolean,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined || origin === new URL(settings.publicUrl()).origin) return true;
  return origin === 'null' && hasPageCookie;
}
