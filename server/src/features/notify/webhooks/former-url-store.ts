// A receiver answers 410 after its webhook got another URL: that says nothing about the new one, which gets the delivery.
import { statement, type Transaction } from '../../../platform/db/database.ts';
import type { Outcome } from './delivery.ts';

const READ_URLS = statement('read_webhook_urls', 'select id, url from webhooks where id = any($1::uuid[])');

export async function keepMoved(tx: Transaction, outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const ids = outcomes.flatMap(({ isGone, delivery }) => (isGone ? [delivery.webhookId] : []));
  if (ids.length === 0) return outcomes;
  const rows = await tx.query<{ id: string; url: string }>(READ_URLS, [ids]);
  const urls = new Map(rows.map(({ id, url }) => [id, url]));
  return outcomes.map((outcome) => {
    const { isGone, delivery, attempt, url } = outcome;
    if (!isGone || attempt === null || (urls.get(delivery.webhookId) ?? url) === url) return outcome;
    const again = delivery.isTest ? {} : ({ status: 'pending', dueAt: attempt.at } as const);
    return { ...outcome, isGone: false, ...again };
  });
}
