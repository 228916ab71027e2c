// The consent page of a simulated user. It is clearly different from the provider's page.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { hostedPage } from '../../platform/pages/hosted-page.ts';
import { html } from '../../platform/pages/html.ts';
import type { Dialect } from '../dialect.ts';
import type { Authorization } from './check-authorization.ts';

export function authorizePage(
  { displayName, oauth }: Dialect,
  { scopes, redirectUri }: Authorization,
  { canNameAccount, isBack }: { readonly canNameAccount: boolean; readonly isBack: boolean },
): RawReply {
  const { origin } = new URL(redirectUri);
  const body = html`
<p class="brand"><strong>Simulator of ${displayName}</strong></p>
<h1>Connect a simulated ${displayName} account?</h1>
<p>This is not ${displayName}. You do not need an account and share no real data: the simulator creates
a user with 30 days of data for this connection.</p>
<form method="post">
${oauth.canRefuseScopes ? listScopes(scopes) : html`<p class="muted">Requested access: ${scopes.join(', ')}</p>`}
${canNameAccount ? html`<label>Account (leave empty for a new user) <input name="account" autocomplete="off"></label>` : null}
<button class="first" name="decision" value="allow">Allow</button>
${isBack ? html`<button name="decision" value="again">Allow as the previous user</button>` : null}
<button name="decision" value="deny">Deny</button>
</form>
<p class="muted"><small>Both buttons take you back to ${origin}.</small></p>`;
  return hostedPage({ status: 200, title: `Simulator of ${displayName}`, body, formTargets: 'anywhere' }); // the application decides on the final redirect
}

/** A ticked scope is withheld: browsers do not send unticked boxes, so pressing the button alone grants everything. */
function listScopes(scopes: readonly string[]) {
  return html`<fieldset><legend>Everything is shared except the boxes you tick</legend>
${scopes.map((scope) => html`<label><span><input type="checkbox" name="withheld" value="${scope}"> ${scope}</span></label>`)}</fieldset>`;
}

export function untrustedPage({ displayName }: Dialect, reason: string): RawReply {
  const body = html`
<p class="brand"><strong>Simulator of ${displayName}</strong></p>
<h1>This link does not work</h1>
<p class="bad">${reason}</p>
<p>The request was not sent back, because the application or its redirect URI is unknown. Check the settings of the application.</p>`;
  return hostedPage({ status: 400, title: `Simulator of ${displayName}`, body });
}
