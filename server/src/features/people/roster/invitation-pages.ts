// The hosted pages of an invitation. Pure.
import type { ClosedStatus } from '../../../domain/roster.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { type HostedPage, hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import { dayOf, type PageContext } from '../../../platform/pages/page-context.ts';
import { providerList } from '../../clouds/connections/index.ts';
import type { ConnectableProvider } from './connect-device.ts';
import { listSharedData } from './wording.ts';

type InvitationFacts = {
  readonly name: string | null;
  readonly email: string;
  readonly message: string | null;
  readonly expiresAt: Date;
};

export function invitationPage(context: PageContext, facts: InvitationFacts): RawReply {
  const { name, email, message, expiresAt } = facts;
  const { t } = context;
  const names = namesOf(context);
  const title = t('invitation.title', names);
  const greeting = name === null ? '' : `${t('invitation.greeting', { name })} `;
  const body = html`
<h1>${title}</h1>
<p>${greeting}${t('invitation.for', { email })}</p>
${message === null ? null : html`<h2>${t('invitation.writes', names)}</h2><p class="quoted">${message}</p>`}
<h2>${t('invitation.sees', names)}</h2>
<ul class="shared">${listSharedData(t).map((item) => html`<li>${item}</li>`)}</ul>
<p>${t('invitation.covers')}</p>
<p class="muted">${t('invitation.expires', { date: dayOf(context, expiresAt) })}</p>
<form method="post" class="actions">
<button class="first" name="decision" value="allow">${t('invitation.accept')}</button>
<button name="decision" value="deny" class="plain">${t('invitation.decline')}</button>
</form>`;
  return hostedPage({ status: 200, title, body, context });
}

export function connectPage(context: PageContext, providers: readonly ConnectableProvider[]): RawReply {
  const { t } = context;
  const names = namesOf(context);
  const title = t('joined.title', names);
  const choice =
    providers.length === 0
      ? html`<p>${t('joined.done', names)}</p>`
      : html`<h2>${t('joined.connect')}</h2><p>${t('joined.choose')}</p>${providerList(providers)}`;
  const body = html`<h1>${title}</h1>${choice}<p class="muted">${t('joined.portal')}</p>`;
  return hostedPage({ status: 200, title, body, context, tone: 'success' });
}

export function declinedPage(context: PageContext): RawReply {
  return messagePage(context, 200, 'declined');
}

export function impossiblePage(context: PageContext): RawReply {
  return messagePage(context, 409, 'impossible', 'failure');
}

export function providerUnavailablePage(context: PageContext): RawReply {
  return messagePage(context, 409, 'unavailable', 'failure');
}

/** `next`: the page to connect a device, for a person who has just accepted. */
export function closedPage(context: PageContext, status: ClosedStatus, next: string | null): RawReply {
  const onward =
    next === null ? null : html`<p><a class="button first" href="${next}">${context.t('joined.connect')}</a></p>`;
  return messagePage(context, 410, `closed.${status}`, status === 'accepted' ? 'success' : 'expired', onward);
}

export function unknownPage(context: PageContext): RawReply {
  return { ...messagePage(context, 404, 'invitation.unknown', 'failure'), isWrongGuess: true };
}

export function undecidedPage(context: PageContext): RawReply {
  return messagePage(context, 400, 'undecided', 'failure');
}

/** Texts with a `.title` and a `.what`. */
type Message =
  | 'declined'
  | 'impossible'
  | 'unavailable'
  | 'undecided'
  | 'invitation.unknown'
  | `closed.${ClosedStatus}`;

function messagePage(
  context: PageContext,
  status: number,
  message: Message,
  tone?: HostedPage['tone'],
  more: Html | null = null,
): RawReply {
  const names = namesOf(context);
  const title = context.t(`${message}.title`, names);
  const body = html`<h1>${title}</h1><p>${context.t(`${message}.what`, names)}</p>${more}`;
  return hostedPage({ status, title, body, context, ...(tone && { tone }) });
}

function namesOf({ brand }: PageContext): { readonly account: string } {
  return { account: brand?.displayName ?? '' };
}
