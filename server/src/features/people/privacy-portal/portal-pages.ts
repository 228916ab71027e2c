// The pages of the privacy portal: what a person shares with whom, and the actions on it. Pure.
import type { TextKey } from '../../../domain/texts/index.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { writeRetryAfter } from '../../../platform/errors.ts';
import type { RawReply } from '../../../platform/http/raw-route.ts';
import { type HostedPage, hostedPage } from '../../../platform/pages/hosted-page.ts';
import { type Html, html } from '../../../platform/pages/html.ts';
import { dayOf, type PageContext } from '../../../platform/pages/page-context.ts';
import type { RosterMembership } from '../memberships/index.ts';
import type { ExportRefusal } from '../personal-export/index.ts';
import { listSharedData } from '../roster/index.ts';

type Overview = {
  readonly memberships: readonly RosterMembership[];
  /** Organizations with an open invitation. */
  readonly inviters: readonly string[];
  /** Confirms the action that was just taken. */
  readonly message: string | null;
};

export function overviewPage(context: PageContext, { memberships, inviters, message }: Overview): RawReply {
  const { t } = context;
  const title = t('portal.title');
  const accounts = inviters.join(', ');
  const body = html`
<h1>${title}</h1>
${message === null ? null : html`<p role="status" class="status">${message}</p>`}
${memberships.length === 0 ? html`<p>${t('portal.nothing')}</p>` : null}
${memberships.map((membership) => presentMembership(context, membership))}
${inviters.length === 0 ? null : html`<h2>${t('portal.invitations')}</h2><p>${t('portal.invited', { accounts })}</p>`}
<h2>${t('portal.everything')}</h2>
<p>${t('portal.everything.what')}</p>
<form method="post">
${exportChoices(context)}
<button name="decision" value="export_all">${t('portal.export_all')}</button>
</form>
<h2>${t('portal.link')}</h2>
<p class="muted">${t('portal.link.what')}</p>
<form method="post"><button name="decision" value="replace_link">${t('portal.link.new')}</button></form>`;
  return hostedPage({ status: 200, title, body, context });
}

const FORMATS = ['json', 'daily', 'sleep', 'workouts'] as const;

function exportChoices({ t }: PageContext): Html {
  return html`<label>${t('portal.export_as')}
<select name="format">${FORMATS.map((format) => html`<option value="${format}">${t(`portal.format.${format}`)}</option>`)}</select></label>
<label><input type="checkbox" name="raw" value="true"> <span>${t('portal.raw')}</span></label>`;
}

function presentMembership(context: PageContext, membership: RosterMembership): Html {
  const { t } = context;
  const names = { account: membership.organization };
  const isShared = membership.status !== 'removed';
  const lastData =
    membership.lastSyncAt === null
      ? t('portal.no_data')
      : t('portal.last_data', { date: dayOf(context, membership.lastSyncAt) });
  return html`<section>
<h2>${membership.organization}</h2>
${isShared ? presentShared(context, membership) : presentEnded(context, membership)}
<p class="muted">${lastData}</p>
<details><summary>${t('portal.export', names)}</summary><form method="post">
${memberField(membership)}
${exportChoices(context)}
<button name="decision" value="export">${t('portal.export', names)}</button>
</form></details>
<form method="post">
${memberField(membership)}
${isShared ? html`<button name="decision" value="stop">${t('portal.stop', names)}</button>` : null}
${membership.endedBy === 'person' ? resumeButton(context, membership) : null}
<button class="danger" name="decision" value="erase">${t('portal.erase', names)}</button>
</form>
</section>`;
}

function memberField({ memberId }: RosterMembership): Html {
  return html`<input type="hidden" name="member" value="${memberId}">`;
}

function resumeButton({ t }: PageContext, { organization }: RosterMembership): Html {
  return html`<button name="decision" value="resume">${t('portal.resume', { account: organization })}</button>`;
}

function presentShared(context: PageContext, { joinedAt, organization }: RosterMembership): Html {
  const { t } = context;
  return html`<p>${t('portal.sees', { account: organization, date: dayOf(context, joinedAt) })}</p>
<ul>${listSharedData(t).map((item) => html`<li>${item}</li>`)}</ul>`;
}

function presentEnded(context: PageContext, { removedAt, organization }: RosterMembership): Html {
  const { t } = context;
  const ended =
    removedAt === null
      ? t('portal.ended', { account: organization })
      : t('portal.ended_on', { account: organization, date: dayOf(context, removedAt) });
  return html`<p>${ended} ${t('portal.kept')}</p>`;
}

export function confirmStopPage(context: PageContext, membership: RosterMembership): RawReply {
  const { t } = context;
  const names = { account: membership.organization };
  const title = t('stop.title', names);
  const body = html`
<h1>${title}</h1>
<p>${t('stop.what', names)}</p>
<form method="post" class="actions">
${memberField(membership)}
<button class="first" name="decision" value="stop_now">${t('stop.confirm')}</button>
<button name="decision" value="keep">${t('stop.keep')}</button>
</form>`;
  return hostedPage({ status: 200, title, body, context });
}

export function confirmErasurePage(context: PageContext, membership: RosterMembership): RawReply {
  const { t } = context;
  const names = { account: membership.organization };
  const title = t('erase.title', names);
  const access = membership.status === 'removed' ? '' : ` ${t('erase.access', names)}`;
  const body = html`
<h1>${title}</h1>
<p>${t('erase.what')}${access} ${t('erase.copies', names)}</p>
<form method="post" class="actions">
${memberField(membership)}
<button class="danger" name="decision" value="erase_for_good">${t('erase.confirm')}</button>
<button name="decision" value="keep">${t('erase.keep')}</button>
</form>`;
  return hostedPage({ status: 200, title, body, context, tone: 'failure' });
}

export function endedLinkPage(context: PageContext, status: 'expired' | 'replaced'): RawReply {
  const { t } = context;
  const title = t(`link.${status}.title`);
  const body = html`
<h1>${title}</h1>
<p>${t(`link.${status}.what`)} ${t('link.send')}</p>
<form method="post"><button class="first" name="decision" value="send_link">${t('link.send.button')}</button></form>`;
  return hostedPage({ status: 410, title, body, context, tone: 'expired' });
}

export function linkSentPage(context: PageContext): RawReply {
  return messagePage(context, 200, ['link.sent.title', 'link.sent.what'], 'success');
}

export function linkReplacedPage(context: PageContext): RawReply {
  return messagePage(context, 200, ['link.sent.title', 'link.changed.what'], 'success');
}

export function tooManyLinksPage(context: PageContext, waitMs: number): RawReply {
  const page = messagePage(context, 429, ['link.too_many.title', 'link.too_many.what'], 'failure');
  return { ...page, headers: { ...page.headers, 'retry-after': writeRetryAfter(waitMs) } };
}

export function unknownPersonPage(context: PageContext): RawReply {
  return {
    ...messagePage(context, 404, ['error.not_found', 'invitation.unknown.what'], 'failure'),
    isWrongGuess: true,
  };
}

const RETRY_AFTER_MS = MINUTE_MS;

/** The export cannot start: this person already has one running, or the process is at its limit. */
export function busyPage(context: PageContext, busy: ExportRefusal): RawReply {
  const page =
    busy === 'person'
      ? messagePage(context, 429, ['export.running.title', 'export.running.what'], 'failure')
      : messagePage(context, 503, ['export.busy.title', 'export.busy.what'], 'failure');
  return { ...page, headers: { ...page.headers, 'retry-after': writeRetryAfter(RETRY_AFTER_MS) } };
}

export function undecidedPage(context: PageContext): RawReply {
  return messagePage(context, 400, ['portal.unclear.title', 'portal.unclear.what'], 'failure');
}

function messagePage(
  context: PageContext,
  status: number,
  [titleKey, what]: readonly [TextKey, TextKey],
  tone: NonNullable<HostedPage['tone']>,
): RawReply {
  const title = context.t(titleKey);
  return hostedPage({ status, title, body: html`<h1>${title}</h1><p>${context.t(what)}</p>`, context, tone });
}
