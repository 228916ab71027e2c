// Queues the webhooks of an account. The first comparison sends nothing, because the client reads existing data itself.
import type { Account } from './account-store.ts';
import { findChanges } from './find-changes.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

export function webhookAccount({ dialect, context, view, isRevoked }: SimulatedProvider, account: Account): void {
  const { webhooks } = dialect;
  if (webhooks === null) return;
  const seen = view(account);
  if (isRevoked(account)) {
    if (!account.isEndReported) context.queue(webhooks.writeRevoked?.(seen, context) ?? []);
    account.isEndReported = true;
    return;
  }
  account.isEndReported = false;
  const { reported, changes } = findChanges(webhooks, seen, account.reported);
  account.reported = reported;
  if (changes.length > 0) context.queue(webhooks.write(changes, seen, context));
}
