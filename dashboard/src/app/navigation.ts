// The entries of the sidebar. An entry is shown once its page is registered in routes.tsx.
import type { AnyRouter } from '@tanstack/react-router';
import type { IconName } from '../shared/ui/icon.tsx';

export type NavigationEntry = {
  /** The first part of the address after the environment. */
  readonly section: string;
  readonly label: string;
  readonly icon: IconName;
  /** Second key after `g`. */
  readonly key: string;
  readonly isForOperators?: boolean;
};

type NavigationGroup = { readonly title: string | null; readonly entries: readonly NavigationEntry[] };

const GROUPS: readonly NavigationGroup[] = [
  {
    title: null,
    entries: [
      { section: 'home', label: 'Home', icon: 'home', key: 'h' },
      { section: 'users', label: 'Users', icon: 'users', key: 'u' },
      { section: 'roster', label: 'Roster', icon: 'roster', key: 'r' },
    ],
  },
  {
    title: 'Flow',
    entries: [
      { section: 'events', label: 'Events', icon: 'events', key: 'e' },
      { section: 'webhooks', label: 'Webhooks', icon: 'webhooks', key: 'w' },
      { section: 'requests', label: 'Requests', icon: 'requests', key: 'q' },
    ],
  },
  {
    title: 'Set up',
    entries: [
      { section: 'keys', label: 'Keys', icon: 'keys', key: 'k' },
      { section: 'providers', label: 'Providers', icon: 'providers', key: 'p' },
      { section: 'settings', label: 'Settings', icon: 'settings', key: 's' },
      { section: 'service', label: 'Service', icon: 'service', key: 'o', isForOperators: true },
    ],
  },
];

/** Entries of the bar at the bottom of a narrow window; the others are behind More. */
const BAR_SECTIONS = ['home', 'users', 'events', 'webhooks'];

export function listGroups(router: AnyRouter, isOperator: boolean): NavigationGroup[] {
  const exists = ({ section, isForOperators }: NavigationEntry) =>
    Object.hasOwn(router.routesByPath, `/$environment/${section}`) && (isOperator || !isForOperators);
  return GROUPS.map(({ title, entries }) => ({ title, entries: entries.filter(exists) })).filter(
    ({ entries }) => entries.length > 0,
  );
}

export function isInBar({ section }: NavigationEntry): boolean {
  return BAR_SECTIONS.includes(section);
}
