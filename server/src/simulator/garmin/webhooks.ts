// Garmin's webhooks: summaries in the body or links to them, one kind per request, without a signature. Deletions are
// not reported.
import { createHash } from 'node:crypto';
import type { AccountView } from '../account-view.ts';
import type { WebhookDialect } from '../dialect.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { Push } from '../push-queue.ts';
import type { Change } from '../reported-changes.ts';
import { KINDS, type SummaryKind } from './kinds.ts';
import { writePing } from './pull.ts';
import { makeSummary, type Summary, toSeconds, userIdOf } from './summary.ts';

const MAX_BODY_CHARACTERS = 1_000_000;
const PERMISSIONS = 'userPermissionsChange';

export const garminWebhooks: WebhookDialect = {
  *list(view, { from, to }) {
    for (const day of view.days(from, to))
      for (const kind of listPermitted(view))
        for (const summary of kind.list(view, day))
          yield { kind: kind.name, id: summary.id, date: day.date, version: summary.version ?? versionOf(summary) };
    yield { kind: PERMISSIONS, id: PERMISSIONS, date: to, version: [...view.account.scopes].sort().join() };
  },
  write(changes, view, context) {
    const reported = changes.filter(({ type }) => type !== 'deleted');
    const isPermissions = ({ record }: Change) => record.kind === PERMISSIONS;
    return [
      ...(reported.some(isPermissions) ? writePermissions(view, context) : []),
      ...listPermitted(view).flatMap((kind) => writeSummaries(kind, findChanged(kind, reported, view), view, context)),
    ];
  },
  writeRevoked: writeDeregistration,
};

export function writeSummaries(
  kind: SummaryKind,
  summaries: readonly Summary[],
  view: AccountView,
  context: ProviderContext,
): Push[] {
  if (summaries.length === 0) return [];
  if (kind.mode === 'ping')
    return send(view, context, kind.name, [JSON.stringify(writePing(kind, summaries, view, context))]);
  return splitByLength(summaries).flatMap((part) => send(view, context, kind.name, part));
}

export function writeDeregistration(view: AccountView, context: ProviderContext): Push[] {
  return send(view, context, 'deregistrations', [JSON.stringify({ userId: userIdOf(view) })]);
}

function writePermissions(view: AccountView, context: ProviderContext): Push[] {
  const change = { permissions: view.account.scopes, changeTimeInSeconds: toSeconds(view.nowMs) };
  const summary = makeSummary(view, 'permissions', view.nowMs, () => change);
  return send(view, context, PERMISSIONS, [JSON.stringify(summary.write())]);
}

/** `items` as JSON. */
function send({ account }: AccountView, context: ProviderContext, name: string, items: readonly string[]): Push[] {
  if (context.webhookUrl === null) return [];
  return [
    {
      provider: 'garmin',
      account: account.seed,
      method: 'POST',
      url: context.webhookUrl,
      headers: { 'content-type': 'application/json', 'garmin-client-id': context.client.clientId },
      body: `{${JSON.stringify(name)}:[${items.join()}]}`,
    },
  ];
}

function listPermitted({ account }: AccountView): SummaryKind[] {
  return KINDS.filter(({ permission }) => account.scopes.includes(permission));
}

function findChanged(kind: SummaryKind, changes: readonly Change[], view: AccountView): Summary[] {
  const record = changes.filter((change) => change.record.kind === kind.name).map((change) => change.record);
  const ids = new Set(record.map(({ id }) => id));
  const dates = [...new Set(record.map(({ date }) => date))].sort();
  return dates
    .flatMap((date) => view.days(date, date))
    .flatMap((day) => kind.list(view, day))
    .filter(({ id }) => ids.has(id));
}

function versionOf(summary: Summary): string {
  return createHash('sha256').update(JSON.stringify(summary.write())).digest('base64url');
}

function splitByLength(summaries: readonly Summary[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const summary of summaries) {
    const item = JSON.stringify(summary.write());
    if (item.length > left || parts.length === 0) {
      parts.push([]);
      left = MAX_BODY_CHARACTERS;
    }
    parts.at(-1)?.push(item);
    left -= item.length;
  }
  return parts;
}
