// The page of a person: what is shared with whom, and what can be done about it. Pure.
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import type { Share } from '../memberships/index.ts';
import type { Refusal } from '../personal-export/index.ts';
import { formatDay, SHARED_DATA } from '../roster/index.ts';

export type Overview = {
  readonly shares: readonly Share[];
  /** Organizations that wait for an answer. */
  readonly inviters: readonly string[];
  /** What has just been done. */
  readonly notice: string | null;
};

export function overviewPage({ shares, inviters, notice }: Overview): RawReply {
  const title = 'Your health data';
  const body = html`
<h1>${title}</h1>
${notice === null ? null : html`<p role="status"><strong>${notice}</strong></p>`}
${shares.length === 0 ? html`<p>Nothing of yours is kept here.</p>` : null}
${shares.map(presentShare)}
${inviters.length === 0 ? null : html`<h2>Invitations</h2><p>${inviters.join(', ')}: nothing is shared unless you accept, by the link in their mail.</p>`}
<h2>Everything</h2>
<p>One file with all that is kept about you here: your data at every organization, and every invitation.</p>
<form method="post">
<button name="decision" value="export_all">Export everything</button>
${RAW_CHOICE}
</form>
<h2>Your link</h2>
<p class="quiet">Whoever has the link to this page can do all of this. Keep it to yourself. If somebody else may have it, get a new one: it is sent to your mail address, and all links before it stop working.</p>
<form method="post"><button name="decision" value="replace_link">Get a new link</button></form>`;
  return hostedPage({ status: 200, title, body });
}

const RAW_CHOICE = html`<label><input type="checkbox" name="raw" value="true"> with raw data as your devices sent it (larger)</label>`;

function presentShare(share: Share): Html {
  const { organization, memberId } = share;
  const isShared = share.status !== 'removed';
  return html`<section>
<h2>${organization}</h2>
${isShared ? presentShared(share) : presentEnded(share)}
<p class="quiet">${share.lastSyncAt === null ? 'No data has come so far.' : `Data last came on ${formatDay(share.lastSyncAt)}.`}</p>
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
  return html`<p>${organization} has seen your data since ${formatDay(joinedAt)}:</p>
<ul>${SHARED_DATA.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function presentEnded({ removedAt, organization }: Share): Html {
  return html`<p>Not shared: ${organization} has seen nothing${removedAt === null ? '' : ` since ${formatDay(removedAt)}`}. Your data is kept for you for 12 months from then on.</p>`;
}

export function confirmErasurePage({ organization, memberId, status }: Share): RawReply {
  const title = `Erase your data at ${organization}?`;
  const body = html`
<h1>${title}</h1>
<p>Everything that your devices sent is deleted for good${status === 'removed' ? '' : `, and ${organization} sees nothing of you any more`}. This cannot be undone. What ${organization} has copied elsewhere is not reached by it.</p>
<form method="post">
<input type="hidden" name="member" value="${memberId}">
<button class="danger" name="decision" value="erase_for_good">Erase for good</button>
<button name="decision" value="keep">Keep my data</button>
</form>`;
  return hostedPage({ status: 200, title, body });
}

const ENDED_LINK = {
  expired: { title: 'This link has expired', says: 'Links are good for 30 days.' },
  replaced: { title: 'This link is no longer valid', says: 'A newer link was requested since.' },
};

export function endedLinkPage(status: keyof typeof ENDED_LINK): RawReply {
  const { title, says } = ENDED_LINK[status];
  const body = html`
<h1>${title}</h1>
<p>${says} A new link goes to the mail address that was invited.</p>
<form method="post"><button class="first" name="decision" value="send_link">Send me a new link</button></form>`;
  return hostedPage({ status: 410, title, body });
}

export function linkSentPage(): RawReply {
  return notice(200, 'A new link is on its way', 'Check your inbox and spam folder.');
}

export function linkReplacedPage(): RawReply {
  return notice(
    200,
    'A new link is on its way',
    'It goes to your mail address. This link and all links before it have stopped working.',
  );
}

export function tooManyLinksPage(waitMs: number): RawReply {
  const title = 'Too many links were requested';
  return hostedPage({
    status: 429,
    title,
    body: html`<h1>${title}</h1><p>Several links were sent within a day. Check your inbox and spam folder, or try again later.</p>`,
    headers: { 'retry-after': String(Math.ceil(waitMs / 1_000)) },
  });
}

export function unknownPersonPage(): RawReply {
  return {
    ...notice(404, 'There is no such page', 'Please open the link as it stands in the mail.'),
    isWrongGuess: true,
  };
}

const RETRY_SECONDS = 60;

/** An export is under way: of this person, or as many as run at once. */
export function busyPage(busy: Refusal): RawReply {
  const page =
    busy === 'person'
      ? notice(429, 'Your export is running', 'Please wait until the download ends, or cancel it, and try again.')
      : notice(503, 'Too many exports are running', 'Please try again in a minute.');
  return { ...page, headers: { ...page.headers, 'retry-after': String(RETRY_SECONDS) } };
}

export function undecidedPage(): RawReply {
  return notice(400, 'This did not work', 'Please go back, load the page again and press one of its buttons.');
}

function notice(status: number, title: string, says: string): RawReply {
  return hostedPage({ status, title, body: html`<h1>${title}</h1><p>${says}</p>` });
}
