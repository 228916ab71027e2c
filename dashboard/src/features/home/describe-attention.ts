// What needs attention, as a sentence with what follows and what to do. Pure.
import { calendarDate, clock, shortDateTime, until } from '../../shared/time/format-time.ts';
import { providerName } from '../../shared/user/devices.ts';
import { plural } from '../../shared/words/numbers.ts';
import type { AttentionItem } from './queries.ts';

type Described = {
  /** Shown in bold at the beginning of the sentence. */
  readonly subject: string;
  readonly text: string;
  /** Since when, the consequence, and what is not lost. */
  readonly note: string;
  readonly action: string;
  /** Of the page, below the environment. */
  readonly path: string;
};

export function describeAttention(item: AttentionItem, nowMs: number): Described {
  return DESCRIBE[item.kind](item, nowMs);
}

const DESCRIBE: Readonly<Record<AttentionItem['kind'], (item: AttentionItem, nowMs: number) => Described>> = {
  publishing_stopped: ({ since }, nowMs) => ({
    subject: 'Events',
    text: 'are not published',
    note: join([sinceText(since, nowMs), 'they are stored and nothing is lost', 'check that a worker runs']),
    action: 'Open Service',
    path: 'service',
  }),
  webhook_failing: ({ subject, name, since, count, cause }, nowMs) => ({
    subject: name ?? 'A webhook',
    text: describeCause(cause),
    note: join([sinceText(since, nowMs), waitingText(count), 'disabled after five days of failures']),
    action: 'Inspect',
    path: `webhooks/${subject}`,
  }),
  webhook_disabled: ({ subject, name, count, cause }) => ({
    subject: name ?? 'A webhook',
    text: 'is disabled',
    note: join([DISABLED[cause ?? ''] ?? 'it was disabled', count > 0 ? waitingText(count) : 'it receives no events']),
    action: 'Inspect',
    path: `webhooks/${subject}`,
  }),
  reconnect: describeReconnect,
  key_expires: ({ name, until: end }, nowMs) => ({
    subject: `The API key ${name ?? ''}`.trim(),
    text: hasPassed(end, nowMs) ? 'has expired' : `expires ${until(end ?? nowMs, nowMs)}`,
    note: join([
      end === null ? '' : shortDateTime(end, nowMs),
      hasPassed(end, nowMs) ? 'its calls fail' : 'create a second key first, so that no call fails',
    ]),
    action: 'Open Keys',
    path: 'keys',
  }),
  provider_waits: ({ subject, until: end, count, cause }, nowMs) => ({
    subject: providerName(subject ?? ''),
    text: cause === 'failing' ? 'does not answer' : 'limits our requests',
    note: join([
      end === null ? '' : `the next request is ${until(end, nowMs)}`,
      `${plural(count, 'device')} ${count === 1 ? 'waits' : 'wait'}, no data is lost`,
    ]),
    action: 'Open Providers',
    path: 'providers',
  }),
  values_refused: ({ count }) => ({
    subject: plural(count, 'value'),
    text: `of uploads ${count === 1 ? 'was' : 'were'} rejected`,
    note: 'The response of each upload names them and the reason. The other values were stored.',
    action: 'Show requests',
    path: 'requests',
  }),
};

function describeReconnect({ subject, count, people, since }: AttentionItem, nowMs: number): Described {
  const provider = providerName(subject ?? '');
  const names = people.map(({ reference_id, user_id }) => reference_id ?? user_id.slice(0, 8));
  const [only] = people;
  const isOne = count === 1 && only !== undefined;
  const others = count > names.length ? ` and ${count - names.length} more` : '';
  return {
    subject: isOne ? (names[0] ?? '') : plural(count, 'person', 'people'),
    text: `${count === 1 ? 'has' : 'have'} to connect ${provider} again`,
    note: join([
      `${provider} refused access, and only the person can renew it; earlier data stays`,
      since === null ? '' : `last data ${timeText(since, nowMs)}`,
      isOne ? '' : `${names.join(', ')}${others}`,
    ]),
    action: isOne ? 'Create a link' : 'Show people',
    path: isOne ? `users/${only.user_id}/connections?connect=${subject}` : 'users?filter=attention',
  };
}

const DISABLED: Readonly<Record<string, string>> = {
  gone: 'it responded with 410 Gone',
  failing: 'it failed for five days',
  key_revoked: 'the API key that created it was revoked',
};

/** An HTTP status, or the error of the last attempt. */
function describeCause(cause: string | null): string {
  if (cause === null) return 'does not accept events';
  if (/^\d+$/.test(cause)) return `answers ${cause}`;
  if (cause.includes('timeout')) return 'does not answer in time';
  return 'cannot be reached';
}

function waitingText(count: number): string {
  return count === 0
    ? 'no event waits'
    : `${plural(count, 'event')} ${count === 1 ? 'waits' : 'wait'}, nothing is lost`;
}

function sinceText(since: string | null, nowMs: number): string {
  return since === null ? '' : `since ${timeText(since, nowMs)}`;
}

/** 19:04 of today; with the day otherwise. */
function timeText(at: string, nowMs: number): string {
  return calendarDate(at) === calendarDate(nowMs) ? clock(at) : shortDateTime(at, nowMs);
}

function hasPassed(end: string | null, nowMs: number): boolean {
  return end !== null && Date.parse(end) <= nowMs;
}

function join(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join(' · ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
