import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readTexts } from '../../shared/routing/read-texts.ts';

type AuditSearch = { action?: string; actor?: string; subject?: string; from?: string; entry?: string };

const settingsLayoutRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SettingsPage'),
});

const startRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$environment/settings/account', params, replace: true });
  },
});

const accountRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: 'account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: 'members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
});

const securityRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: 'security',
  component: lazyRouteComponent(() => import('./security-page.tsx'), 'SecurityPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => settingsLayoutRoute,
  path: 'audit',
  validateSearch: (search): AuditSearch => readTexts(search, ['action', 'actor', 'subject', 'from', 'entry']),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
});

export const settingsRoute = settingsLayoutRoute.addChildren([
  startRoute,
  accountRoute,
  membersRoute,
  securityRoute,
  auditRoute,
]);
