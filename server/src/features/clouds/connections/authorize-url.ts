// Builds the URL of the provider's consent page. The OAuth library is loaded on first use, as in read-callback.ts.
import type { ProviderApp } from '../provider-apps/index.ts';
import type { AuthorizationState } from './authorization-request.ts';

/** 256 random bits each for the state and, if the provider supports PKCE, for the verifier. */
export async function makeState({ provider }: ProviderApp): Promise<AuthorizationState> {
  const { generateRandomCodeVerifier, generateRandomState } = await import('oauth4webapi');
  return {
    state: generateRandomState(),
    codeVerifier: provider.oauth.hasPkce ? generateRandomCodeVerifier() : null,
  };
}

export async function authorizeUrlOf(
  { provider: { oauth }, client, origins }: ProviderApp,
  redirectUri: string,
  { state, codeVerifier }: AuthorizationState,
  loginHint: string | null,
): Promise<string> {
  const { calculatePKCECodeChallenge } = await import('oauth4webapi');
  const scopes = Object.keys(oauth.scopes);
  const query = new URLSearchParams({
    ...oauth.authorizeParameters,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...(scopes.length > 0 && { scope: scopes.join(oauth.scopeSeparator) }),
    state,
    ...(loginHint !== null && { login_hint: loginHint }),
    ...(codeVerifier !== null && {
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  });
  return `${origins.authorize}${oauth.authorizePath}?${query.toString().replaceAll('+', '%20')}`;
}
