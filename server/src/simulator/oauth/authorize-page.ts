// The page on which a person who does not exist allows or denies. Made so that nobody takes it for the provider's own.
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
<h1>Connect a made-up ${displayName} account?</h1>
<p>This is not ${displayName}. No account is needed and no real data is shared: a person who does not exist,
with the last 30 days of their life, is made for this connection.</p>
<form method="post">
${oauth.canRefuseScopes ? listScopes(scopes) : html`<p class="quiet">Asked for: ${scopes.join(', ')}</p>`}
${canNameAccount ? html`<label>Account (empty: somebody new) <input name="account" autocomplete="off"></label>` : null}
<button class="first" name="decision" value="allow">Allow</button>
${isBack ? html`<button name="decision" value="again">Allow as the person of last time</button>` : null}
<button name="decision" value="deny">Deny</button>
</form>
<p class="quiet"><small>Either leads back to ${origin}.</small></p>`;
  return hostedPage({ status: 200, title: `Simulator of ${displayName}`, body, formTargets: 'anywhere' }); // the application decides where its person lands in the end
}

/** Ticked is what is not shared: boxes that nobody ticked are not sent, and who only presses the button shares all. */
function listScopes(scopes: readonly string[]) {
  return html`<fieldset><legend>All of this is shared, except what you tick</legend>
${scopes.map((scope) => html`<label><span><input type="checkbox" name="withheld" value="${scope}"> ${scope}</span></label>`)}</fieldset>`;
}

export function untrustedPage({ displayName }: Dialect, reason: string): RawReply {
  const body = html`
<p class="brand"><strong>Simulator of ${displayName}</strong></p>
<h1>This link does not work</h1>
<p class="bad">${reason}</p>
<p>Nothing was sent back to the application, as nobody knows whether it is the right one.</p>`;
  return hostedPage({ status: 400, title: `Simulator of ${displayName}`, body });
}
