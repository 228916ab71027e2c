// The consent page of a simulated user. It is clearly different from the provider's page and from our own.
import type { RawReply } from '../../platform/http/raw-route.ts';
import { hostedPage } from '../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../platform/pages/html.ts';
import { createPageContext } from '../../platform/pages/page-context.ts';
import type { ProviderDialect } from '../dialect.ts';
import type { Authorization } from './check-authorization.ts';
import { SIMULATOR_STYLE } from './simulator-style.ts';

/** As at most providers, a popup stays connected to the window that opened it. */
const headers = { 'cross-origin-opener-policy': 'unsafe-none' };
const site = { context: createPageContext('en'), style: SIMULATOR_STYLE, headers };

type PageChoices = {
  readonly canNameAccount: boolean;
  /** The browser has given a consent before. */
  readonly isBack: boolean;
  /** The account belongs to the sandbox user who connects. */
  readonly isUser: boolean;
};

export function authorizePage(
  { displayName, oauth }: ProviderDialect,
  { scopes, redirectUri }: Authorization,
  { canNameAccount, isBack, isUser }: PageChoices,
): RawReply {
  const { origin } = new URL(redirectUri);
  const whose = isUser
    ? 'The account has the same days as the other devices of this sandbox user.'
    : 'The simulator creates a person with 30 days of data for this connection.';
  const body = html`
<p class="site">Provider simulator / ${displayName}</p>
<h1>Connect a simulated ${displayName} account?</h1>
<p>This is not ${displayName}. You need no account and share no real data. ${whose}</p>
<form method="post">
${oauth.canRefuseScopes ? listScopes(scopes) : html`<p class="muted">Requested access: ${scopes.join(', ')}</p>`}
${canNameAccount ? html`<label class="text">Account (leave empty for a new user) <input type="text" name="account" autocomplete="off"></label>` : null}
<div class="actions">
<button class="first" name="decision" value="allow">Allow</button>
${isUser ? html`<button name="decision" value="other">Allow as another person</button>` : null}
${isBack ? html`<button name="decision" value="again">Allow as the previous user</button>` : null}
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="muted">All buttons take you back to ${origin}.</p>`;
  return hostedPage({ ...site, status: 200, title: `${displayName} (simulator)`, body, formTargets: 'anywhere' }); // the application decides on the final redirect
}

/** Browsers do not send unticked boxes; the hidden field says that the boxes were there. */
function listScopes(scopes: readonly string[]): Html {
  return html`<input type="hidden" name="has_choice" value="true"><fieldset><legend>Shared data</legend>
${scopes.map((scope) => html`<label title="${scope}"><input type="checkbox" name="scope" value="${scope}" checked> ${labelOf(scope)}</label>`)}</fieldset>`;
}

/** Google's scopes are URLs; the last part is what differs. */
function labelOf(scope: string): string {
  return scope.slice(scope.lastIndexOf('/') + 1).replace(/^googlehealth\./, '');
}

export function untrustedPage({ displayName }: ProviderDialect, reason: string): RawReply {
  const body = html`
<p class="site">Provider simulator / ${displayName}</p>
<h1>This link does not work</h1>
<p class="bad">${reason}</p>
<p>The request was not sent back, because the application or its redirect URI is unknown. Check the settings of the application.</p>`;
  return hostedPage({ ...site, status: 400, title: `${displayName} (simulator)`, body });
}
