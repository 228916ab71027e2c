export const words = {
  users: 'Users',
  tabs: 'Pages of this user',
  notLoaded: 'This user could not be loaded.',
  copyId: 'the user id',
  there: (clock: string) => `${clock} there`,
  lastData: (ago: string) => `last data ${ago}`,
  noData: 'no data yet',
  overrides: 'changed settings',
  troubled: 'devices need attention',
  previousTab: 'Previous tab',
  nextTab: 'Next tab',
  goTo: (tab: string) => `Show ${tab}`,
};

/** In this order, each once its page exists. */
export const TABS = [
  { section: 'day', label: 'Day' },
  { section: 'trends', label: 'Trends' },
  { section: 'scores', label: 'Scores' },
  { section: 'connections', label: 'Connections' },
  { section: 'consolidation', label: 'Consolidation' },
  { section: 'upload', label: 'Import' },
  { section: 'log', label: 'Log' },
] as const;
export type Tab = (typeof TABS)[number];
