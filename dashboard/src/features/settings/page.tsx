import { Link, Outlet } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { Page } from '../../shared/ui/page.tsx';
import { Tabs } from '../../shared/ui/tabs.tsx';
import { words } from './words.ts';

export function SettingsPage() {
  const environment = useEnvironment();
  return (
    <Page title={words.title}>
      <Tabs label={words.title}>
        {words.tabs.map(({ name, text }) => (
          <Link
            key={name}
            to={`/$environment/settings/${name}`}
            params={{ environment }}
            activeProps={{ 'aria-current': 'page' }}
            activeOptions={{ includeSearch: false }}
          >
            {text}
          </Link>
        ))}
      </Tabs>
      <Outlet />
    </Page>
  );
}
