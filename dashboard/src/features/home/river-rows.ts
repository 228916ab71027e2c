// The sources and webhooks of the river, in words. Few enough to be read: the smallest are summed up. Pure.
import { until } from '../../shared/time/format-time.ts';
import { providerName } from '../../shared/user/devices.ts';
import { plural } from '../../shared/words/numbers.ts';
import type { Flow } from './queries.ts';

export type RiverRow = {
  readonly key: string;
  readonly name: string;
  /** In a narrow window the first part only. */
  readonly notes: readonly string[];
  readonly tone: 'plain' | 'bad' | 'pale';
  readonly count: number;
  readonly waiting: number;
  readonly isBlocked: boolean;
  /** Below the environment. */
  readonly path: string;
};

const MAX_ROWS = 8;

export function listSources(sources: Flow['sources'], nowMs: number): RiverRow[] {
  return sumUp(
    sources.map((source) => ({
      key: source.key,
      name: source.key === 'phone' ? 'Phones' : source.key === 'other' ? 'Other sources' : providerName(source.key),
      notes: describeSource(source, nowMs),
      tone: source.reconnect > 0 ? 'bad' : source.waits_until !== null ? 'pale' : 'plain',
      count: source.updates,
      waiting: 0,
      isBlocked: false,
      path: source.reconnect > 0 ? 'users?filter=attention' : source.key === 'phone' ? 'users' : 'providers',
    })),
    { name: (count) => `${count} more sources`, note: (count) => plural(count, 'update'), path: 'providers' },
  );
}

function describeSource({ updates, devices, reconnect, waits_until }: Flow['sources'][number], nowMs: number) {
  if (reconnect > 0) return [`${reconnect} to reconnect`, plural(updates, 'update')];
  if (waits_until !== null) return [`continues ${until(waits_until, nowMs)}`, plural(updates, 'update')];
  return [plural(updates, 'update'), ...(devices === null || devices === 0 ? [] : [plural(devices, 'device')])];
}

export function listOutlets(outlets: Flow['outlets']): RiverRow[] {
  return sumUp(
    outlets.map((outlet) => {
      const isBlocked = outlet.failing_since !== null || outlet.status === 'disabled';
      return {
        key: outlet.webhook_id,
        name: outlet.name,
        notes: describeOutlet(outlet),
        tone: outlet.failing_since !== null || isSwitchedOff(outlet) ? 'bad' : isBlocked ? 'pale' : 'plain',
        count: outlet.delivered,
        waiting: outlet.waiting,
        isBlocked,
        path: `webhooks/${outlet.webhook_id}`,
      };
    }),
    { name: (count) => `${count} more webhooks`, note: (count) => `${count} delivered`, path: 'webhooks' },
  );
}

function describeOutlet(outlet: Flow['outlets'][number]): string[] {
  const waiting = outlet.waiting > 0 ? [`${outlet.waiting} waiting`] : [];
  if (outlet.status === 'disabled') return [outlet.disabled_reason === 'paused' ? 'paused' : 'disabled', ...waiting];
  const delivered = `${outlet.delivered} delivered`;
  if (outlet.failing_since !== null) return [waiting[0] ?? 'failing', delivered];
  return [delivered, ...waiting];
}

function isSwitchedOff({ status, disabled_reason }: Flow['outlets'][number]): boolean {
  return status === 'disabled' && disabled_reason !== 'paused';
}

type Rest = { name(count: number): string; note(count: number): string; readonly path: string };

function sumUp(rows: readonly RiverRow[], rest: Rest): RiverRow[] {
  if (rows.length <= MAX_ROWS) return [...rows];
  const [shown, others] = [rows.slice(0, MAX_ROWS - 1), rows.slice(MAX_ROWS - 1)];
  const sum = (read: (row: RiverRow) => number) => others.reduce((total, row) => total + read(row), 0);
  const count = sum((row) => row.count);
  return [
    ...shown,
    {
      key: 'rest',
      name: rest.name(others.length),
      notes: [rest.note(count)],
      tone: others.some(({ tone }) => tone === 'bad') ? 'bad' : 'plain',
      count,
      waiting: sum((row) => row.waiting),
      isBlocked: false,
      path: rest.path,
    },
  ];
}
