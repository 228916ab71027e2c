// Validates the OAuth callback that the user's browser brings. It is untrusted input, and no page shows any of it.
import type { OAuthRule } from '../../../providers/contract.ts';

type ParsedCallback = { readonly code: string } | { readonly failed: 'denied' | 'provider' | 'unsound' };

const UNKNOWN_ISSUER = 'https://issuer.invalid'; // the library requires an issuer

export async function readCallback(
  { issuer }: Pick<OAuthRule, 'issuer'>,
  clientId: string,
  query: URLSearchParams,
  expectedState: string,
): Promise<ParsedCallback> {
  const { AuthorizationResponseError, validateAuthResponse } = await import('oauth4webapi');
  const parameters = new URLSearchParams(query);
  if (issuer === undefined) parameters.delete('iss'); // the provider does not document its issuer
  const server = {
    issuer: issuer ?? UNKNOWN_ISSUER,
    authorization_response_iss_parameter_supported: issuer !== undefined,
  };
  try {
    const answer = validateAuthResponse(server, { client_id: clientId }, parameters, expectedState);
    const [code, ...others] = answer.getAll('code');
    return code && others.length === 0 ? { code } : { failed: 'unsound' };
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError)) return { failed: 'unsound' };
    return { failed: error.error === 'access_denied' ? 'denied' : 'provider' };
  }
}
