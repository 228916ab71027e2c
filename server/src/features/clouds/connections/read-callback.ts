// The answer of a provider, as the person's browser brought it. Nothing in it is believed before it is checked, and nothing is shown.
import type { OAuthRule } from '../../../providers/contract.ts';

export type ParsedCallback = { readonly code: string } | { readonly failed: 'denied' | 'provider' | 'unsound' };

const NOBODY = 'https://issuer.invalid'; // the library wants one in any case

export async function readCallback(
  { issuer }: Pick<OAuthRule, 'issuer'>,
  clientId: string,
  query: URLSearchParams,
  expectedState: string,
): Promise<ParsedCallback> {
  const { AuthorizationResponseError, validateAuthResponse } = await import('oauth4webapi');
  const parameters = new URLSearchParams(query);
  if (issuer === null) parameters.delete('iss'); // nobody told us what it should be
  const server = { issuer: issuer ?? NOBODY, authorization_response_iss_parameter_supported: issuer !== null };
  try {
    const answer = validateAuthResponse(server, { client_id: clientId }, parameters, expectedState);
    const [code, ...others] = answer.getAll('code');
    return code && others.length === 0 ? { code } : { failed: 'unsound' };
  } catch (error) {
    if (!(error instanceof AuthorizationResponseError)) return { failed: 'unsound' };
    return { failed: error.error === 'access_denied' ? 'denied' : 'provider' };
  }
}
