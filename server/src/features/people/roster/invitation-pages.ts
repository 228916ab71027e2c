// The hosted pages of an invitation. Pure.
import type { ClosedStatus } from '../../../domain/roster.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { ConnectableProvider } from './connect-device.ts';
import { formatDeadline, SHARED_DATA } from './wording.ts';

type InvitationFacts = {
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
<h2>What ${organization} will be able to see</h2>
<ul>${SHARED_DATA.map((item) => html`<li>${item}</li>`)}</ul>
<p>This covers the devices that you connect, including data they recorded before today. You can stop sharing at any time with the link in the mail.</p>
<form method="post">
<button class="first" name="decision" value="allow">Accept and share</button>
<button name="decision" value="deny">Decline</button>
</form>
<p class="muted">This invitation expires on ${formatDeadline(expiresAt)}. Nothing is shared unless you accept.</p>`;
  return hostedPage({ status: 200, title, body });
}

export function connectPage(organization: string, providers: readonly ConnectableProvider[]): RawReply {
  const title = `You now share your health data with ${organization}`;
  const choice =
    providers.length === 0
      ? html`<p>You are done here. ${organization} will explain how to connect your devices.</p>`
      : html`<h2>Connect a device</h2>
<p>Choose the service that has your data. You can connect several, one after the other.</p>
<form method="post">${providers.map(({ id, displayName }) => html`<button name="provider" value="${id}">${displayName}</button>`)}</form>`;
  return hostedPage({ status: 200, title, body: html`<h1>${title}</h1>${choice}` });
}

export function declinedPage(organization: string): RawReply {
  return messagePage(
    200,
    'Invitation declined',
    html`<p>Nothing is shared with ${organization}. You can close this page.</p>`,
  );
}

export function impossiblePage(organization: string): RawReply {
  return messagePage(
    409,
    'You cannot join at the moment',
    html`<p>${organization} cannot add you right now. Nothing was changed and the invitation is still valid. Please contact them and try again later.</p>`,
  );
}

export function providerUnavailablePage(): RawReply {
  return messagePage(409, 'This service cannot be connected here', html`<p>Please go back and choose another one.</p>`);
}

const CLOSED: Readonly<Record<ClosedStatus, { title: string; says: string }>> = {
  accepted: {
    title: 'This invitation has already been accepted',
    says: 'The link works only once. To see what you share or to stop sharing, open your privacy portal with the link in the mail.',
  },
  revoked: {
    title: 'This invitation is no longer valid',
    says: 'It was withdrawn or declined. It shares nothing.',
  },
  expired: {
    title: 'This invitation has expired',
    says: 'Invitations expire after 14 days. Please ask for a new one.',
  },
};

/** `next`: the page to connect a device, for a person who has just accepted. */
export function closedPage(status: ClosedStatus, next: string | null): RawReply {
  const { title, says } = CLOSED[status];
  const onward = next === null ? null : html`<p><a class="button first" href="${next}">Connect a device</a></p>`;
  return messagePage(410, title, html`<p>${says}</p>${onward}`);
}

export function unknownPage(): RawReply {
  return {
    ...messagePage(
      404,
      'Invitation not found',
      html`<p>Please check that you opened the complete link from the mail.</p>`,
    ),
    isWrongGuess: true,
  };
}

export function undecidedPage(): RawReply {
  return messagePage(
    400,
    'Please choose one of the buttons',
    html`<p>Go back and press one of the buttons on the page.</p>`,
  );
}

function messagePage(status: number, title: string, body: Html): RawReply {
  return hostedPage({ status, title, body: html`<h1>${title}</h1>${body}` });
}
