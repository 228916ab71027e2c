import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** Leads to sign-in, and back to the former page. Loaded data is removed. */
export function endSession(router: AnyRouter, queryClient: QueryClient): void {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  void router.navigate({ to: '/sign-in', search: { next: href }, replace: true }).then(() => queryClient.clear());
}
