import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { showAccount } from '../../api/client.ts';
import { type Session, sessionQuery } from '../../shared/session/session.ts';

/** Opens the dashboard with a new session, where the person wanted to go. */
export function useEnter(next = '/'): (session: Session) => void {
  const router = useRouter();
  const queries = useQueryClient();
  return (session) => {
    queries.clear();
    showAccount(session.account.id);
    queries.setQueryData(sessionQuery.queryKey, session);
    void router.navigate({ href: next, replace: true });
  };
}
