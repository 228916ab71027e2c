// The pages a person sees on the way: what is asked, what came of it, and what to do if it did not work. Pure.
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { type HostedPage, hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import { describeHistory, listMeasurements, listSharedKinds } from './shared-data.ts';

/** Who asks, for what. */
export type ConsentRequest = {
  readonly account: { readonly name: string; readonly logoUrl: string | null };
  readonly provider: CloudProvider;
  /** Of our mark of the provider, on this origin. */
  readonly providerMark: string;
  readonly isSandbox: boolean;
  /** How far back is asked for at most. */
  readonly historyDays: number;
};

/** Why nothing was connected, as far as it helps the person. */
export type FailureReason = 'denied' | 'provider' | 'unsound' | 'incomplete' | 'expired' | 'unavailable';

export function consentPage(
  consentRequest: ConsentRequest,
  page: Pick<HostedPage, 'formTargets' | 'headers'>,
): RawReply {
  const { account, provider } = consentRequest;
  const name = provider.displayName;
  const body = html`${pairOf(consentRequest)}
<h1>Share your ${name} data with ${account.name}?</h1>
<p>You sign in at ${name} next. ${account.name} never sees your password.</p>
<h2>What is shared</h2>
${sharedList(provider)}
<h2>For how long</h2>
<p>${describeHistory(provider, consentRequest.historyDays)} at first, then everything new, until you stop it.</p>
<h2>How to stop</h2>
<p>Disconnect in ${account.name}: then all that came from ${name} is deleted, too. Or take the access back in your ${name} account:
then nothing new is read.</p>
<form method="post">
<button class="first" name="decision" value="allow">Continue to ${name}</button>
<button name="decision" value="deny">Do not share</button>
</form>
${sandboxNote(consentRequest)}`;
  return hostedPage({ status: 200, title: `Connect ${name} · ${account.name}`, body, ...page });
}

export function connectedPage(consentRequest: ConsentRequest, headers: Readonly<Record<string, string>>): RawReply {
  const { account, provider } = consentRequest;
  const body = html`${pairOf(consentRequest)}
<h1>${provider.displayName} is connected</h1>
<p>${account.name} now receives your data. The first of it arrives within minutes.</p>
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
  const body = html`${pairOf(consentRequest)}
<h1>${provider.displayName} was not connected</h1>
<p>${explain(reason, provider.displayName)}</p>
<p>${reason === 'denied' ? 'Changed your mind? Go' : 'Go'} back to ${account.name} and connect again from there.</p>
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
      return 'You chose not to share. Nothing was connected, and nothing is read.';
    case 'provider':
      return `${name} could not complete the connection. It may work in a few minutes.`;
    case 'unsound':
      return `The answer that came back from ${name} was not the one expected, so it was not used.`;
    case 'incomplete':
      return `${name} did not share enough to read your data. Leave what it asks for switched on.`;
    case 'expired':
      return 'The time for connecting ran out: a link is good for 30 minutes.';
    case 'unavailable':
      return `${name} cannot be connected at the moment.`;
  }
}

/** A link that is no longer good, whoever asks. */
export function goneLinkPage(what: 'used' | 'expired' | 'unknown'): RawReply {
  const reasons = {
    used: 'This link was used before, and works only once.',
    expired: 'This link has run out: it is good for 30 minutes.',
    unknown: 'This link is not valid any more.',
  };
  return plainPage(410, 'This link has ended', [
    reasons[what],
    'Go back to the app that sent you here, and connect again from there.',
  ]);
}

export function unknownPage(): RawReply {
  return plainPage(404, 'There is nothing here', [
    'The address is not complete. Open the link as it was given to you, or go back to the app and connect again.',
  ]);
}

export function otherBrowserPage(): RawReply {
  return plainPage(403, 'Please go on where you began', [
    'This was opened in another browser than the one in which you agreed, so it was not used. Nothing was connected here.',
    'Go back to the app, connect again, and stay in the same browser until you are done.',
  ]);
}

export function strangeAnswerPage(): RawReply {
  return plainPage(400, 'This cannot be used', [
    'What brought you here does not belong to any connection that is under way. Nothing was connected.',
    'Go back to the app that sent you here, and connect again from there.',
  ]);
}

export function foreignFormPage(): RawReply {
  return plainPage(403, 'Please open the link itself', [
    'This decision was sent from another page, so it does not count. Nothing was connected.',
  ]);
}

export function unclearDecisionPage(): RawReply {
  return plainPage(400, 'That was no decision', ['Go back and choose one of the two buttons.']);
}

function plainPage(status: number, title: string, lines: readonly string[]): RawReply {
  const body = html`<h1>${title}</h1>
${lines.map(
  (line) => html`<p>${line}</p>
`,
)}`;
  return hostedPage({ status, title, body });
}

function pairOf({ account, provider, providerMark }: ConsentRequest): Html {
  const own = account.logoUrl
    ? html`<img src="${account.logoUrl}" alt="" referrerpolicy="no-referrer">`
    : html`<span class="mark" aria-hidden="true">${[...account.name][0]?.toUpperCase() ?? ''}</span>`;
  return html`<p class="pair"><img src="${providerMark}" alt=""><span class="link" aria-hidden="true"></span>${own}
<span class="names">${provider.displayName} and ${account.name}</span></p>`;
}

function sharedList(provider: CloudProvider): Html {
  const measurements = listMeasurements(provider);
  return html`<ul class="shared">${listSharedKinds(provider).map((words) => html`<li>${words}</li>`)}</ul>
<details><summary>All ${measurements.length} measurements</summary><p>${measurements.join(', ')}</p></details>`;
}

function sandboxNote({ isSandbox }: ConsentRequest): Html | null {
  return isSandbox ? html`<p class="note">Sandbox: this is a trial. The account and its data are made up.</p>` : null;
}
