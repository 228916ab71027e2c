// Whether a form was sent from our own page. Pure but for the public URL.
import type { RawRequest } from '../../../platform/http/raw-route.ts';
import type { Services } from '../../../platform/services.ts';

/**
 * A form of another site does not show the requested data, so such forms are ignored. Browsers send `Sec-Fetch-Site` or at
 * least `Origin`, which our pages hide (`null`) together with the referrer; then the cookie of the page decides, which no other
 * site can send. Clients without either header are not browsers, so no page can misuse them.
 */
export function isSameOriginForm(
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
