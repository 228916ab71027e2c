import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Environment } from '../shared/routing/parents.ts';
import type { IconName } from '../shared/ui/icon.tsx';
import type { listGroups } from './navigation.ts';
import { words } from './words.ts';

type Found = {
  readonly kind: 'user' | 'webhook' | 'event' | 'delivery' | 'request';
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** Below the environment. */
  readonly path: string;
};

export type PaletteEntry = {
  readonly icon: IconName;
  readonly title: string;
  readonly subtitle: string;
  readonly href: string;
  readonly keys?: string;
};

/** Actions begin with a word that people type; each leads to the page where it is done. */
const ACTIONS: readonly {
  readonly title: string;
  readonly section: string;
  readonly path: string;
  readonly icon: IconName;
  /** Only offered there. */
  readonly environment?: Environment;
}[] = [
  { title: words.newUser, section: 'users', path: 'users?new=true', icon: 'plus' },
  { title: words.rotateKey, section: 'keys', path: 'keys', icon: 'keys' },
  { title: words.sendTest, section: 'webhooks', path: 'webhooks', icon: 'send' },
  { title: words.inviteMember, section: 'settings', path: 'settings/members', icon: 'mail' },
  { title: words.inviteToRoster, section: 'roster', path: 'roster?invite=true', icon: 'mail', environment: 'live' },
  {
    title: words.newSandboxUser,
    section: 'providers',
    path: 'scenarios?open=person',
    icon: 'plus',
    environment: 'sandbox',
  },
  { title: words.runScenario, section: 'providers', path: 'scenarios', icon: 'play', environment: 'sandbox' },
  { title: words.addFault, section: 'providers', path: 'scenarios?open=fault', icon: 'bolt', environment: 'sandbox' },
  { title: words.setUpTotp, section: 'settings', path: 'settings/security', icon: 'shield' },
  { title: words.openAudit, section: 'settings', path: 'settings/audit', icon: 'roster' },
];

const ICONS: Readonly<Record<Found['kind'], IconName>> = {
  user: 'users',
  webhook: 'webhooks',
  event: 'events',
  delivery: 'send',
  request: 'requests',
};
const MAX_ENTRIES = 12;

export function searchQuery(environment: Environment, text: string) {
  return queryOptions({
    queryKey: [environment, 'search', text],
    queryFn: ({ signal }) => api.get<readonly Found[]>(`/${environment}/search`, { signal, query: { q: text } }),
  });
}

/** Search results first, then pages, then actions. */
export function listEntries({
  text,
  environment,
  groups,
  found,
}: {
  text: string;
  environment: Environment;
  groups: ReturnType<typeof listGroups>;
  found: readonly Found[];
}): PaletteEntry[] {
  const wanted = text.toLowerCase();
  const matches = ({ title }: { title: string }) => title.toLowerCase().includes(wanted);
  const pages = groups.flatMap(({ entries }) => entries);
  const sections = new Set(pages.map(({ section }) => section));
  return [
    ...found.map(({ kind, title, subtitle, path }) => ({
      icon: ICONS[kind],
      title,
      subtitle: subtitle || words.kinds[kind],
      href: `/${environment}/${path.replace(/^\//, '')}`,
    })),
    ...pages
      .map(({ icon, label, section, key }) => {
        return { icon, title: label, subtitle: words.page, href: `/${environment}/${section}`, keys: `g ${key}` };
      })
      .filter(matches),
    ...ACTIONS.filter((action) => sections.has(action.section) && (action.environment ?? environment) === environment)
      .filter(matches)
      .map(({ icon, title, path }) => ({ icon, title, subtitle: words.action, href: `/${environment}/${path}` })),
  ].slice(0, MAX_ENTRIES);
}
