// Where a person agrees at the provider. The library of OAuth is loaded when somebody connects, as in read-callback.ts.
import type { ProviderApp } from '../provider-apps/index.ts';
import type { AuthorizationState } from './authorization-request.ts';

/** 256 random bits of state, and as many of the verifier where the provider knows PKCE. */
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
): Promise<string> {
  const { calculatePKCECodeChallenge } = await import('oauth4webapi');
  const query = new URLSearchParams({
    ...oauth.authorizeParameters,
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...(oauth.scopes.length > 0 && { scope: oauth.scopes.join(oauth.scopeSeparator) }),
    state,
    ...(codeVerifier !== null && {
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  });
  return `${origins.authorize}${oauth.authorizePath}?${query.toString().replaceAll('+', '%20')}`;
}
