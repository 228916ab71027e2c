import type { ReactNode } from 'react';
import { buttonClass } from '../../../shared/ui/button.tsx';

/** To a day of a user, or to the user. Plain, because the page belongs to another feature. */
export function UserLink({ userId, date, children }: { userId: string; date?: string; children: ReactNode }) {
  const path = date === undefined ? '' : `/day/${date}`;
  return (
    <a className={buttonClass('first')} href={`/dashboard/sandbox/users/${userId}${path}`}>
      {children}
    </a>
  );
}
