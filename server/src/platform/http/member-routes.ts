// The calls of API keys for signed-in members: the same operations under the path of the dashboard.

import type { Route } from './route.ts';
import { DASHBOARD_API } from './session-cookie.ts';

/** Members read as viewers and change as developers; this includes calls that issue credentials for phones or erase a person. */
export function offerToMembers(routes: readonly Route[]): Route[] {
  return routes.flatMap((route) => {
    const { access } = route;
    if (access.to !== 'api_key' && access.to !== 'api_key_or_own_user') return [];
    if ('members' in access && access.members === 'excluded') return [];
    return {
      ...route,
      path: `${DASHBOARD_API}/:environment${route.path}`,
      operationId: `${route.operationId}AsMember`,
      access: {
        to: 'member',
        role: route.method === 'GET' ? 'viewer' : 'developer',
        billing: access.billing,
        ...('environment' in access && access.environment ? { environment: access.environment } : {}),
      },
    };
  });
}
