import { Navigate } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { calendarDate } from '../../shared/time/format-time.ts';
import { useUserHead, useUserId } from '../../shared/user/head.ts';

const DAY_MS = 86_400_000;

/** A user opens with yesterday, the last day that has ended for the person. */
export function UserStart() {
  const { user } = useUserHead();
  const date = calendarDate(Date.now() - DAY_MS, user.timezone);
  return <Navigate to={`/${useEnvironment()}/users/${useUserId()}/day/${date}` as '/'} replace />;
}
