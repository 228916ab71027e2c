// OAuth 2 with PKCE, which Garmin requires. https://developer.garmin.com/gc-developer-program/health-api/
import { type OAuthRule, ProviderAnswerError, type ProviderRequest } from '../contract.ts';
import { asObject, readId, readValues, required } from '../read-json.ts';
import { readStandardTokens, standardTokenRequests } from '../standard-tokens.ts';

/** Without one of them Garmin sends nothing. The backfill itself checks HISTORICAL_DATA_EXPORT. */
const SHARING = ['HEALTH_EXPORT', 'ACTIVITY_EXPORT'];

const requestUser = (path: string, method: 'GET' | 'DELETE' = 'GET'): ProviderRequest => ({
  origin: 'api',
  method,
  path: `/wellness-api/rest/user/${path}`,
  as: 'person',
});

export const GARMIN_OAUTH: OAuthRule = {
  authorizePath: '/oauth2Confirm',
  scopes: {}, // the user chooses what to share on Garmin's page
  scopeSeparator: ' ',
  hasPkce: true,
  /** Each refresh returns a new refresh token; an unused one expires after about 90 days. */
  ...standardTokenRequests('/di-oauth2-service/oauth/token'),
  clientAuthentication: 'body',
  readTokens: readStandardTokens,
  afterConnect: [
    {
      request: () => requestUser('id'),
      readUserId: ({ body }) => required(readId(asObject(body), 'userId'), 'userId'),
    },
    { request: () => requestUser('permissions'), readUserId: checkPermissions },
  ],
  revokeRequest: () => requestUser('registration', 'DELETE'),
};

/** A list, bare or as `permissions`. */
function checkPermissions({ body }: { readonly body: unknown }): null {
  const permissions = Array.isArray(body) ? body : readValues(asObject(body), 'permissions');
  if (!sharesAnything(permissions)) throw new ProviderAnswerError('neither health nor activity export is permitted');
  return null;
}

export function sharesAnything(permissions: readonly unknown[]): boolean {
  return permissions.some((permission) => SHARING.includes(String(permission)));
}
