// The hosted pages of a connection: consent, result, and what to do if it failed. Pure.
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { type HostedPage, hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { describeHistory, listMeasurements, listSharedKinds } from './shared-data.ts';

/** Who asks for access, and to what. */
export type ConsentRequest = {
  readonly account: { readonly name: string; readonly logoUrl: string | null };
  readonly provider: CloudProvider;
  /** URL of the provider's logo on this origin. */
  readonly providerLogo: string;
  readonly isSandbox: boolean;
  /** The most history that we fetch. */
  readonly historyDays: number;
};

/** Why the connection failed, in the detail that helps the user. */
export type FailureReason = 'denied' | 'provider' | 'unsound' | 'incomplete' | 'expired' | 'unavailable';

export function consentPage(
  consentRequest: ConsentRequest,
  page: Pick<HostedPage, 'formTargets' | 'headers'>,
): RawReply {
  const { account, provider } = consentRequest;
  const name = provider.displayName;
  const body = html`${logoPair(consentRequest)}
<h1>Share your ${name} data with ${account.name}?</h1>
<p>Next, you sign in at ${name}. ${account.name} never sees your password.</p>
<h2>What is shared</h2>
${sharedList(provider)}
<h2>For how long</h2>
<p>${describeHistory(provider, consentRequest.historyDays)} at first, then all new data until you stop sharing.</p>
<h2>How to stop</h2>
<p>Disconnect in ${account.name} to delete everything received from ${name}. Or revoke access in your ${name} account;
no new data will be read.</p>
<form method="post">
<button class="first" name="decision" value="allow">Continue to ${name}</button>
<button name="decision" value="deny">Do not share</button>
</form>
${sandboxNote(consentRequest)}`;
  return hostedPage({ status: 200, title: `Connect ${name} · ${account.name}`, body, ...page });
}

export function connectedPage(consentRequest: ConsentRequest, headers: Readonly<Record<string, string>>): RawReply {
  const { account, provider } = consentRequest;
  const body = html`${logoPair(consentRequest)}
<h1>${provider.displayName} is connected</h1>
<p>${account.name} now receives your data. The first data arrives within minutes.</p>
<p>You can close this page and go back to ${account.name}.</p>
${sandboxNote(consentRequest)}`;
  return hostedPage({ status: 200, title: `${provider.displayName} is connected · ${account.name}`, body, headers });
}

export function failedPage(
  consentRequest: ConsentRequest,
  reason: FailureReason,
  headers: Readonly<Record<string, string>>,
): RawReply {
  const { account, provider } = consentRequest;
  const body = html`${logoPair(consentRequest)}
<h1>${provider.displayName} was not connected</h1>
<p>${explain(reason, provider.displayName)}</p>
<p>${reason === 'denied' ? 'Changed your mind? Go' : 'Go'} back to ${account.name} and connect again.</p>
${sandboxNote(consentRequest)}`;
  return hostedPage({
    status: 200,
    title: `${provider.displayName} was not connected · ${account.name}`,
    body,
    headers,
  });
}

function explain(reason: FailureReason, name: string): string {
  switch (reason) {
    case 'denied':
      return 'You chose not to share. Nothing was connected and no data is read.';
    case 'provider':
      return `${name} could not complete the connection. Try again in a few minutes.`;
    case 'unsound':
      return `The response from ${name} was not valid, so it was not used.`;
    case 'incomplete':
      return `${name} did not share enough to read your data. Leave all permissions switched on.`;
    case 'expired':
      return 'The link has expired. Links are valid for 30 minutes.';
    case 'unavailable':
      return `${name} cannot be connected right now.`;
  }
}

/** Shown to anybody who opens a link that no longer works. */
export function goneLinkPage(what: 'used' | 'expired' | 'unknown'): RawReply {
  const reasons = {
    used: 'This link has already been used. Each link works only once.',
    expired: 'This link has expired. Links are valid for 30 minutes.',
    unknown: 'This link does not exist or was replaced by a newer one.',
  };
  return plainPage(410, 'This link is no longer valid', [
    reasons[what],
    'Go back to the app that sent you here and connect again.',
  ]);
}

export function unknownPage(): RawReply {
  return plainPage(404, 'Page not found', [
    'The link is incomplete. Open the full link, or go back to the app and connect again.',
  ]);
}

export function otherBrowserPage(): RawReply {
  return plainPage(403, 'Continue in the browser you started in', [
    'You agreed in a different browser, so nothing was connected here.',
    'Go back to the app, connect again, and stay in one browser until you are done.',
  ]);
}

export function invalidCallbackPage(): RawReply {
  return plainPage(400, 'This connection is not valid', [
    'This page does not belong to a connection in progress. Nothing was connected.',
    'Go back to the app that sent you here and connect again.',
  ]);
}

export function crossOriginFormPage(): RawReply {
  return plainPage(403, 'Please open the link directly', [
    'The form was sent from another site, so it was ignored. Nothing was connected.',
  ]);
}

export function unclearDecisionPage(): RawReply {
  return plainPage(400, 'Please choose one of the two buttons', ['Go back and choose whether to share your data.']);
}

function plainPage(status: number, title: string, lines: readonly string[]): RawReply {
  const body = html`<h1>${title}</h1>
${lines.map(
  (line) => html`<p>${line}</p>
`,
)}`;
  return hostedPage({ status, title, body });
}

function logoPair({ account, provider, providerLogo }: ConsentRequest): Html {
  const accountLogo = account.logoUrl
    ? html`<img src="${account.logoUrl}" alt="" referrerpolicy="no-referrer">`
    : html`<span class="mark" aria-hidden="true">${[...account.name][0]?.toUpperCase() ?? ''}</span>`;
  return html`<p class="pair"><img src="${providerLogo}" alt=""><span class="link" aria-hidden="true"></span>${accountLogo}
<span class="names">${provider.displayName} and ${account.name}</span></p>`;
}

function sharedList(provider: CloudProvider): Html {
  const measurements = listMeasurements(provider);
  return html`<ul class="shared">${listSharedKinds(provider).map((words) => html`<li>${words}</li>`)}</ul>
<details><summary>All ${measurements.length} measurements</summary><p>${measurements.join(', ')}</p></details>`;
}

function sandboxNote({ isSandbox }: ConsentRequest): Html | null {
  return isSandbox ? html`<p class="note">Sandbox: the account and its data are simulated.</p>` : null;
}
