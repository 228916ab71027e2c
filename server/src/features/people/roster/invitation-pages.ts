// What a person sees of an invitation. Pure.
import type { ClosedStatus } from '../../../domain/roster.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { ConnectableProvider } from './connect-device.ts';
import { formatDeadline, SHARED_DATA } from './wording.ts';

export type InvitationFacts = {
  readonly organization: string;
  readonly name: string | null;
  readonly email: string;
  readonly message: string | null;
  readonly expiresAt: Date;
};

export function invitationPage(facts: InvitationFacts): RawReply {
  const { organization, name, email, message, expiresAt } = facts;
  const title = `${organization} asks to see your health data`;
  const body = html`
<h1>${title}</h1>
<p>${name === null ? '' : `Hello ${name}. `}This invitation is for ${email}.</p>
${message === null ? null : html`<h2>${organization} writes</h2><p class="quoted">${message}</p>`}
<h2>What ${organization} will see</h2>
<ul>${SHARED_DATA.map((item) => html`<li>${item}</li>`)}</ul>
<p>This covers the devices that you connect, with what they recorded before today. You can stop at any time: the link is in the mail.</p>
<form method="post">
<button class="first" name="decision" value="allow">Accept and share</button>
<button name="decision" value="deny">Decline</button>
</form>
<p class="quiet">Good until ${formatDeadline(expiresAt)}. Nothing is shared if you do nothing.</p>`;
  return hostedPage({ status: 200, title, body });
}

export function connectPage(organization: string, providers: readonly ConnectableProvider[]): RawReply {
  const title = `You share with ${organization}`;
  const choice =
    providers.length === 0
      ? html`<p>Nothing more is to be done here. ${organization} will tell you how to connect your devices.</p>`
      : html`<h2>Connect a device</h2>
<p>Choose the service that has your data. You can connect more than one, one after the other.</p>
<form method="post">${providers.map(({ id, displayName }) => html`<button name="provider" value="${id}">${displayName}</button>`)}</form>`;
  return hostedPage({ status: 200, title, body: html`<h1>${title}</h1>${choice}` });
}

export function declinedPage(organization: string): RawReply {
  return notice(200, 'Declined', html`<p>Nothing is shared with ${organization}. You can close this page.</p>`);
}

export function impossiblePage(organization: string): RawReply {
  return notice(
    409,
    'This does not work at the moment',
    html`<p>${organization} cannot take you in as it stands. Nothing was changed, and the invitation stays open. Please ask them to look at it.</p>`,
  );
}

export function providerUnavailablePage(): RawReply {
  return notice(409, 'This service cannot be connected here', html`<p>Please go back and choose another one.</p>`);
}

const CLOSED: Readonly<Record<ClosedStatus, { title: string; says: string }>> = {
  accepted: {
    title: 'This invitation was accepted',
    says: 'The link works once. What you share, and how to stop, is in your privacy portal: its link is in the mail.',
  },
  revoked: {
    title: 'This invitation is withdrawn',
    says: 'It was taken back or declined. Nothing is shared through it.',
  },
  expired: {
    title: 'This invitation has expired',
    says: 'Invitations are good for 14 days. Please ask for a new one.',
  },
};

/** `next`: where somebody who has just accepted can go on. */
export function closedPage(status: ClosedStatus, next: string | null): RawReply {
  const { title, says } = CLOSED[status];
  const onward = next === null ? null : html`<p><a class="button first" href="${next}">Connect a device</a></p>`;
  return notice(410, title, html`<p>${says}</p>${onward}`);
}

export function unknownPage(): RawReply {
  return {
    ...notice(404, 'There is no such invitation', html`<p>Please open the link as it stands in the mail.</p>`),
    isWrongGuess: true,
  };
}

export function undecidedPage(): RawReply {
  return notice(400, 'Please decide', html`<p>Go back and press one of the two buttons.</p>`);
}

function notice(status: number, title: string, body: Html): RawReply {
  return hostedPage({ status, title, body: html`<h1>${title}</h1>${body}` });
}
