// Puts what an account has to tell into the queue. The first look only takes note: what is there then, is read by whoever connected.
import type { Account } from './account-book.ts';
import { findChanges } from './find-changes.ts';
import type { ProviderDesk } from './provider-desk.ts';

export function noticeAccount({ dialect, desk, view, isRevoked }: ProviderDesk, account: Account): void {
  const { notices } = dialect;
  if (notices === null) return;
  const seen = view(account);
  if (isRevoked(account)) {
    if (!account.isEndTold) desk.queue(notices.writeRevoked?.(seen, desk) ?? []);
    account.isEndTold = true;
    return;
  }
  account.isEndTold = false;
  const { told, changes } = findChanges(notices, seen, account.told);
  account.told = told;
  if (changes.length > 0) desk.queue(notices.write(changes, seen, desk));
}
