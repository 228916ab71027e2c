// Webhooks name the user and a time range, and are not signed. Deletions are not reported.

import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { Push } from '../push-queue.ts';
import type { WebhookRecord } from '../reported-changes.ts';
import { listActivities } from './activity-rows.ts';
import { listGroups } from './measure-groups.ts';
import { userIdOf } from './names.ts';
import { listSummaries } from './sleep-rows.ts';
import { listWorkouts } from './workout-rows.ts';

const ACTIVITY = '16';
const SLEEP = '44';
const USER = '46';
const USUAL_FIELDS = new URLSearchParams();

export const withingsWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to)) {
      yield* listActivity(view, day);
      for (const { startdate, enddate, ...rest } of listSummaries(view, day, USUAL_FIELDS))
        yield { kind: SLEEP, id: `${startdate} ${enddate}`, date: day.date, version: versionOf(rest) };
      for (const { appli, date, ...rest } of listGroups(view, day))
        if (appli !== null) yield { kind: appli, id: `${date} ${date}`, date: day.date, version: versionOf(rest) };
    }
  },
  write(changes, view, context) {
    const reported = changes.filter(({ type }) => type !== 'deleted').map(({ record }) => describe(record));
    const once = new Map(reported.map((form) => [JSON.stringify(form), form]));
    return [...once.values()].flatMap((form) => send(view, context, form));
  },
  writeRevoked: (view, context) => send(view, context, { appli: USER, action: 'unlink' }),
};

function* listActivity(view: AccountView, day: AccountDay): Iterable<WebhookRecord> {
  const { date } = day;
  for (const row of listActivities(view, day, USUAL_FIELDS)) {
    const version = day.isOver ? versionOf(row) : `hour ${Math.floor(day.untilMs / HOUR_MS)}`;
    yield { kind: ACTIVITY, id: `${date} ${row.model}`, date, version };
  }
  for (const { id, ...rest } of listWorkouts(view, day, USUAL_FIELDS))
    yield { kind: ACTIVITY, id: `${date} ${id}`, date, version: versionOf(rest) };
}

function describe({ kind, id, date }: WebhookRecord): Readonly<Record<string, string>> {
  if (kind === ACTIVITY) return { appli: kind, date };
  const [startdate = '', enddate = ''] = id.split(' ');
  return { appli: kind, startdate, enddate };
}

function send({ account }: AccountView, context: ProviderContext, form: Readonly<Record<string, string>>): Push[] {
  const requested = context.subscriptions
    .list(context.now())
    .filter((one) => one.account === account.seed && one.topic === form.appli);
  const body = new URLSearchParams({ userid: String(userIdOf(account.seed)), ...form }).toString();
  return requested.map(({ callbackUrl }) => ({
    provider: 'withings',
    account: account.seed,
    method: 'POST',
    url: callbackUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  }));
}

function versionOf(row: unknown): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64url');
}
