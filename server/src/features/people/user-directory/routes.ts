// The list of users for the dashboard.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { COVERAGE_STEP_MS } from './coverage.ts';
import { type Directory, type DirectoryEntry, LISTED_SCORES, listDirectory, SILENT_DAYS } from './list-directory.ts';
import { directoryQuery, directoryReply } from './schemas.ts';

export const directoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users',
    operationId: 'listDirectory',
    tag: 'Users',
    summary: 'List users with devices, coverage, scores and what needs attention',
    description: `Newest first; a search lists the best matches and has one page. A filter can return a page that is shorter than the limit although more users follow: continue with \`next_cursor\`. \`no_data\`: no data for ${SILENT_DAYS} days.`,
    access: { to: 'member', role: 'viewer' },
    healthDataOf: ({ entries }) => entries.map(({ user }) => user.id),
    query: directoryQuery,
    replies: { 200: directoryReply },
    parse: ({ query }) => ({
      text: query.q?.trim() || null,
      filter: query.filter ?? null,
      cursor: query.cursor ?? null,
      limit: query.limit,
    }),
    present: (directory: Directory) => ({ status: 200, body: presentDirectory(directory) }),
    cost: 'large_read',
    csv: listRows,
    errors: ['invalid_cursor'],
    handle: listDirectory,
  }),
];

function presentDirectory(directory: Directory) {
  const { entries, coverage, total, counts, hasMore, nextCursor } = directory;
  return {
    total,
    counts,
    coverage: { from: formatInstant(new Date(coverage.fromMs)), step_hours: COVERAGE_STEP_MS / HOUR_MS },
    users: entries.map(presentEntry),
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}

function presentEntry({ user, devices, coverage, scores, overrides, attention }: DirectoryEntry) {
  return {
    id: user.id,
    reference: user.referenceId,
    timezone: user.timezone,
    created_at: formatInstant(user.createdAt),
    last_data_at: formatNullableInstant(user.lastSyncAt),
    metadata: user.metadata,
    devices: devices.map(({ id, number, provider, deviceClass, name, model, transport, status }) => ({
      id,
      number,
      provider,
      name,
      model,
      transport,
      device_class: deviceClass,
      status,
      coverage: coverage.get(number) ?? null,
    })),
    scores,
    overrides,
    attention,
  };
}

function listRows({ entries }: Directory): CsvCell[][] {
  const header = ['id', 'reference', 'timezone', 'created_at', 'last_data_at', 'devices', 'overrides', 'attention'];
  return [
    [...header, ...LISTED_SCORES],
    ...entries.map(({ user, devices, scores, overrides, attention }) => [
      user.id,
      user.referenceId,
      user.timezone,
      formatInstant(user.createdAt),
      formatNullableInstant(user.lastSyncAt),
      devices.map(({ provider, status }) => `${provider} (${status})`).join('; '),
      overrides,
      attention.join('; '),
      ...LISTED_SCORES.map((type) => scores[type].findLast((value) => value !== null) ?? null),
    ]),
  ];
}
