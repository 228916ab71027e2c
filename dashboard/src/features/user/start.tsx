import { Navigate } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { calendarDaysAgo } from '../../shared/time/format-time.ts';
import { useUserHead, useUserId } from '../../shared/user/head.ts';

/** A user opens with yesterday, the last day that has ended for the person. */
export function UserStart() {
  const { user } = useUserHead();
  const date = calendarDaysAgo(1, user.timezone);
  return <Navigate to={`/${useEnvironment()}/users/${useUserId()}/day/${date}` as '/'} replace />;
}
