// The pages of the privacy portal: what a person shares with whom, and the actions on it. Pure.
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { Share } from '../memberships/index.ts';
import type { Refusal } from '../personal-export/index.ts';
import { formatDay, SHARED_DATA } from '../roster/index.ts';

type Overview = {
  readonly shares: readonly Share[];
  /** Organizations with an open invitation. */
  readonly inviters: readonly string[];
  /** Confirms the action that was just taken. */
  readonly message: string | null;
};

export function overviewPage({ shares, inviters, message }: Overview): RawReply {
  const title = 'Your health data';
  const body = html`
<h1>${title}</h1>
${message === null ? null : html`<p role="status"><strong>${message}</strong></p>`}
${shares.length === 0 ? html`<p>This service has no data about you.</p>` : null}
${shares.map(presentShare)}
${inviters.length === 0 ? null : html`<h2>Invitations</h2><p>${inviters.join(', ')}: nothing is shared unless you accept with the link in the invitation mail.</p>`}
<h2>Everything</h2>
<p>Download one file with everything this service stores about you: your data at every organization and every invitation.</p>
<form method="post">
<button name="decision" value="export_all">Export everything</button>
${RAW_CHOICE}
</form>
<h2>Your link</h2>
<p class="muted">Anyone with the link to this page can do all of this, so do not share it. If somebody else may have it, get a new one: we send it to your mail address, and all earlier links stop working.</p>
<form method="post"><button name="decision" value="replace_link">Get a new link</button></form>`;
  return hostedPage({ status: 200, title, body });
}

const RAW_CHOICE = html`<label><input type="checkbox" name="raw" value="true"> include the raw data your devices sent (larger file)</label>`;

function presentShare(share: Share): Html {
  const { organization, memberId } = share;
  const isShared = share.status !== 'removed';
  return html`<section>
<h2>${organization}</h2>
${isShared ? presentShared(share) : presentEnded(share)}
<p class="muted">${share.lastSyncAt === null ? 'No data received yet.' : `Data last received on ${formatDay(share.lastSyncAt)}.`}</p>
<form method="post">
<input type="hidden" name="member" value="${memberId}">
${isShared ? html`<button class="first" name="decision" value="stop">Stop sharing with ${organization}</button>` : null}
<button name="decision" value="export">Export my data at ${organization}</button>
${RAW_CHOICE}
<button class="danger" name="decision" value="erase">Erase my data at ${organization}</button>
</form>
</section>`;
}

function presentShared({ joinedAt, organization }: Share): Html {
  return html`<p>${organization} can see your data since ${formatDay(joinedAt)}:</p>
<ul>${SHARED_DATA.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function presentEnded({ removedAt, organization }: Share): Html {
  return html`<p>Not shared: ${organization} cannot see your data${removedAt === null ? '' : ` since ${formatDay(removedAt)}`}. We keep your data for 12 months after you stopped sharing.</p>`;
}

export function confirmErasurePage({ organization, memberId, status }: Share): RawReply {
  const title = `Erase your data at ${organization}?`;
  const body = html`
<h1>${title}</h1>
<p>Everything your devices sent is deleted permanently${status === 'removed' ? '' : `, and ${organization} can no longer see any of your data`}. This cannot be undone. Copies that ${organization} keeps elsewhere are not deleted.</p>
<form method="post">
<input type="hidden" name="member" value="${memberId}">
<button class="danger" name="decision" value="erase_for_good">Erase permanently</button>
<button name="decision" value="keep">Keep my data</button>
</form>`;
  return hostedPage({ status: 200, title, body });
}

const ENDED_LINK = {
  expired: { title: 'This link has expired', says: 'Links are valid for 30 days.' },
  replaced: { title: 'This link is no longer valid', says: 'A newer link was requested.' },
};

export function endedLinkPage(status: keyof typeof ENDED_LINK): RawReply {
  const { title, says } = ENDED_LINK[status];
  const body = html`
<h1>${title}</h1>
<p>${says} We send a new link to the mail address that was invited.</p>
<form method="post"><button class="first" name="decision" value="send_link">Send me a new link</button></form>`;
  return hostedPage({ status: 410, title, body });
}

export function linkSentPage(): RawReply {
  return messagePage(200, 'A new link is on its way', 'Check your inbox and spam folder.');
}

export function linkReplacedPage(): RawReply {
  return messagePage(
    200,
    'A new link is on its way',
    'We sent it to your mail address. This link and all earlier links no longer work.',
  );
}

export function tooManyLinksPage(waitMs: number): RawReply {
  const title = 'Too many link requests';
  return hostedPage({
    status: 429,
    title,
    body: html`<h1>${title}</h1><p>We already sent several links today. Check your inbox and spam folder, or try again later.</p>`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
}

export function unknownPersonPage(): RawReply {
  return {
    ...messagePage(404, 'Page not found', 'Please check that you opened the complete link from the mail.'),
    isWrongGuess: true,
  };
}

const RETRY_SECONDS = 60;

/** The export cannot start: this person already has one running, or the process is at its limit. */
export function busyPage(busy: Refusal): RawReply {
  const page =
    busy === 'person'
      ? messagePage(429, 'Your export is still running', 'Wait until the download ends, or cancel it, and try again.')
      : messagePage(503, 'Too many exports are running', 'Please try again in a minute.');
  return { ...page, headers: { ...page.headers, 'retry-after': String(RETRY_SECONDS) } };
}

export function undecidedPage(): RawReply {
  return messagePage(400, 'This did not work', 'Please go back, reload the page and press one of the buttons.');
}

function messagePage(status: number, title: string, says: string): RawReply {
  return hostedPage({ status, title, body: html`<h1>${title}</h1><p>${says}</p>` });
}
