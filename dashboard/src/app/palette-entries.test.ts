import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listEntries } from './palette-entries.ts';

const groups = [
  {
    title: null,
    entries: [
      { section: 'users', label: 'Users', icon: 'users', key: 'u' },
      { section: 'keys', label: 'Keys', icon: 'keys', key: 'k' },
    ] as const,
  },
];
const found = [{ kind: 'user', id: '1', title: 'keyra', subtitle: '', path: '/users/1' }] as const;

describe('the entries of the search', () => {
  it('are pages and actions before anything is typed', () => {
    const titles = listEntries({ text: '', environment: 'sandbox', groups, found: [] }).map(({ title }) => title);
    assert.deepEqual(titles.slice(0, 2), ['Users', 'Keys']);
    assert.ok(titles.some((title) => title.startsWith('Rotate')));
    assert.ok(
      !titles.some((title) => title.startsWith('Invite')),
      'actions of pages that do not exist are not offered',
    );
  });

  it('put what was found before pages and actions', () => {
    const entries = listEntries({ text: 'key', environment: 'live', groups, found });
    assert.deepEqual(
      entries.map(({ title, href }) => `${title} ${href}`),
      ['keyra /live/users/1', 'Keys /live/keys', 'Rotate a key… /live/keys'],
    );
  });

  it('offer the actions of the sandbox only there', () => {
    const providers = { section: 'providers', label: 'Providers', icon: 'providers', key: 'p' } as const;
    const withProviders = [...groups, { title: null, entries: [providers] }];
    const listIn = (environment: 'live' | 'sandbox') =>
      listEntries({ text: 'scenario', environment, groups: withProviders, found: [] }).map(({ href }) => href);
    assert.deepEqual(listIn('sandbox'), ['/sandbox/scenarios']);
    assert.deepEqual(listIn('live'), []);
  });
});
