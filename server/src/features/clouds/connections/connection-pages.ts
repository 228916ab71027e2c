// The hosted pages of a connection: consent, result, and what to do if it failed. Pure.
import type { Branding } from '../../../domain/branding/branding.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { type HostedPage, hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { PageContext } from '../../../platform/pages/page-context.ts';
import { brandLogo } from '../../../platform/pages/page-parts.ts';
import type { CloudProvider } from '../../../providers/contract.ts';
import type { ConnectFailure } from './authorization-request.ts';
import { describeHistory, listMeasurements, listSharedKinds } from './shared-data.ts';

/** Who asks for access, and to what. */
export type ConsentRequest = {
  readonly account: Branding;
  readonly context: PageContext;
  readonly provider: CloudProvider;
  /** URL of the provider's mark on this origin. */
  readonly providerLogo: string;
  readonly isSandbox: boolean;
  /** The most history that we fetch. */
  readonly historyDays: number;
  /** The account keeps positions of workouts. */
  readonly keepsRoutes: boolean;
};

type PageOptions = Pick<HostedPage, 'formTargets' | 'headers' | 'script'>;

export function consentPage(consentRequest: ConsentRequest, options: PageOptions): RawReply {
  const { provider, context } = consentRequest;
  const { t } = context;
  const names = namesOf(consentRequest);
  const measurements = listMeasurements(provider);
  const title = t('consent.title', names);
  const body = html`${logoPair(consentRequest)}
<h1>${title}</h1>
<p>${t('consent.sign_in', names)}</p>
<h2>${t('consent.shared')}</h2>
<ul class="shared">${listSharedKinds(t, provider, consentRequest.keepsRoutes).map((words) => html`<li>${words}</li>`)}</ul>
<details><summary>${t('consent.measurements', { count: measurements.length })}</summary><p lang="en">${measurements.join(', ')}</p></details>
<h2>${t('consent.duration')}</h2>
<p>${describeHistory(t, provider, consentRequest.historyDays)}</p>
<details><summary>${t('consent.stop')}</summary><p>${t('consent.stop.how', names)}</p></details>
${sandboxNote(consentRequest)}
<form method="post" class="actions">
<button class="first" name="decision" value="allow">${t('consent.allow', names)}</button>
<button name="decision" value="deny" class="plain">${t('consent.deny')}</button>
</form>`;
  return hostedPage({ status: 200, title, body, context, hasOwnHeader: true, ...options });
}

/** `isPartial`: the user did not grant everything. `back`: the app, with the outcome. */
export function connectedPage(
  consentRequest: ConsentRequest,
  { isPartial, back }: { readonly isPartial: boolean; readonly back: string | null },
  options: PageOptions,
): RawReply {
  const { context } = consentRequest;
  const { t } = context;
  const names = namesOf(consentRequest);
  const title = t('done.title', names);
  const body = html`<h1>${title}</h1>
<p>${t('done.arrives', names)}</p>
${isPartial ? html`<p>${t('done.partly')}</p>` : null}
${back === null ? html`<p>${t('done.close', names)}</p>` : backButton(context, back, 'first')}
${sandboxNote(consentRequest)}`;
  return hostedPage({ status: 200, title, body, context, tone: 'success', ...options });
}

/** `canRetry`: the link is recent enough to start again from here. */
export function failedPage(
  consentRequest: ConsentRequest,
  reason: ConnectFailure,
  { canRetry, back }: { readonly canRetry: boolean; readonly back: string | null },
  options: PageOptions,
): RawReply {
  const { context } = consentRequest;
  const { t } = context;
  const names = namesOf(consentRequest);
  const title = t('failed.title', names);
  const retry = html`<form method="post"><button class="first" name="decision" value="again">${t('failed.again')}</button></form>`;
  const body = html`<h1>${title}</h1>
<p>${t(`failed.${reason}`, names)}</p>
${canRetry ? retry : html`<p>${t('failed.go_back', names)}</p>`}
${back === null ? null : backButton(context, back, canRetry ? '' : 'first')}
${sandboxNote(consentRequest)}`;
  const tone = reason === 'expired' ? 'expired' : 'failure';
  return hostedPage({ status: 200, title, body, context, tone, ...options });
}

type PickPage = {
  readonly context: PageContext;
  readonly account: Branding;
  readonly isSandbox: boolean;
  readonly providers: readonly { readonly id: string; readonly displayName: string; readonly logo: string }[];
};

/** The list of providers that can be connected. */
export function pickPage({ context, account, isSandbox, providers }: PickPage, options: PageOptions): RawReply {
  const { t } = context;
  const names = { account: account.displayName };
  const title = t('pick.title');
  const body = html`<h1>${title}</h1>
<p>${t(providers.length === 0 ? 'pick.none' : 'pick.intro', names)}</p>
${sandboxNote({ isSandbox, context })}
${providers.length === 0 ? null : providerList(providers)}`;
  return hostedPage({ status: 200, title: `${title} · ${account.displayName}`, body, context, ...options });
}

export function providerList(providers: PickPage['providers']): Html {
  return html`<form method="post" class="pick">${providers.map(
    ({ id, displayName, logo }) =>
      html`<button name="provider" value="${id}"><img src="${logo}" alt="">${displayName}</button>
`,
  )}</form>`;
}

/** Shown to anybody who opens a link that no longer works. `back`: the app, with the outcome. */
export function goneLinkPage(
  context: PageContext,
  what: 'used' | 'expired' | 'unknown',
  back: string | null = null,
): RawReply {
  const { t, brand } = context;
  const title = t(what === 'expired' ? 'gone.expired.title' : 'gone.title');
  const goBack = brand === null ? t('gone.go_back') : t('failed.go_back', { account: brand.displayName });
  const body = html`<h1>${title}</h1>
<p>${t(`gone.${what}`)}</p>
${back === null ? html`<p>${goBack}</p>` : backButton(context, back, 'first')}`;
  return hostedPage({ status: 410, title, body, context, tone: 'expired' });
}

export function unknownPage(context: PageContext): RawReply {
  return plainPage(context, 404, 'error.not_found', ['gone.incomplete']);
}

export function otherBrowserPage(context: PageContext): RawReply {
  return plainPage(context, 403, 'browser.title', ['browser.what', 'browser.how']);
}

export function invalidCallbackPage(context: PageContext): RawReply {
  return plainPage(context, 400, 'callback.title', ['callback.what', 'gone.go_back']);
}

export function crossOriginFormPage(context: PageContext): RawReply {
  return plainPage(context, 403, 'origin.title', ['origin.what']);
}

export function unclearDecisionPage(context: PageContext): RawReply {
  return plainPage(context, 400, 'unclear.title', ['unclear.what']);
}

type Key = Parameters<PageContext['t']>[0];

function plainPage(context: PageContext, status: number, title: Key, lines: readonly Key[]): RawReply {
  const { t } = context;
  const body = html`<h1>${t(title)}</h1>
${lines.map(
  (line) => html`<p>${t(line)}</p>
`,
)}`;
  return hostedPage({ status, title: t(title), body, context, tone: 'failure' });
}

function backButton({ t, brand }: PageContext, url: string, kind: 'first' | ''): Html {
  return html`<p><a class="button ${kind}" href="${url}">${t('page.back', { account: brand?.displayName ?? '' })}</a></p>`;
}

function logoPair({ account, provider, providerLogo }: ConsentRequest): Html {
  return html`<p class="pair"><img src="${providerLogo}" alt=""><span class="link" aria-hidden="true"></span>${brandLogo(account)}
<span class="names">${provider.displayName}, ${account.displayName}</span></p>`;
}

function namesOf({ account, provider }: ConsentRequest) {
  return { account: account.displayName, provider: provider.displayName };
}

function sandboxNote({ isSandbox, context }: Pick<ConsentRequest, 'isSandbox' | 'context'>): Html | null {
  return isSandbox ? html`<p class="note">${context.t('page.sandbox')}</p>` : null;
}
