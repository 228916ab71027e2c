// The tools of the MCP server: read-only calls of the public API, which checks every credential, limit and audit rule itself.
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { SCORE_TYPES } from '../domain/scores/index.ts';
import type { ServiceClient } from '../platform/service-client.ts';
import { VERSION } from '../version.ts';
import { answer } from './mcp-answer.ts';
import { describe, excludeCopies, excludeDays, excludeItems, isItemAllowed, listExcluded } from './mcp-exclusions.ts';
import { summarizeHours } from './summarize-hours.ts';

const date = (description: string) => z.iso.date().optional().describe(description);
const range = {
  from_date: date("first day in the user's time zone; default 29 days before to_date"),
  to_date: date('last day, included; default today'),
};

const page = {
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().optional().describe('next_cursor of the previous page'),
};

/** `ownUserId`: the user of a user token, which cannot list users. */
export function createMcpServer(service: ServiceClient, ownUserId: string | null): McpServer {
  const user = {
    user_id:
      ownUserId === null
        ? z.string().describe('ID of the user, from list_users')
        : z.string().default(ownUserId).describe('ID of the user; default the user of the token'),
  };
  const server = new McpServer({ name: 'tributary', version: VERSION }, { capabilities: { tools: {} } });
  const add = <Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    read: (input: z.output<z.ZodObject<Shape>>) => Promise<unknown>,
  ) =>
    server.registerTool(
      name,
      { description, inputSchema: z.object(shape), annotations: { readOnlyHint: true, openWorldHint: false } },
      async (input) => answer(() => read(input as z.output<z.ZodObject<Shape>>)),
    );

  add(
    'list_users',
    'List users, newest first. Needs an API key; a user token reads only the data of its own user.',
    {
      limit: z.int().min(1).max(100).default(20),
      cursor: z.string().optional().describe('next_cursor of the previous page'),
    },
    ({ limit, cursor }) => service.read('/v1/users', { limit: String(limit), cursor }),
  );
  add('get_user', 'Read one user with its devices. Needs an API key.', user, ({ user_id }) =>
    service.read(pathOf(user_id)),
  );
  add(
    'read_daily',
    'Read daily values (steps, resting heart rate, weight and 170 more metrics), one list per metric over the dates.',
    { ...user, ...range, types: z.string().describe('metric IDs, separated by commas, for example steps,weight') },
    ({ user_id, ...query }) =>
      readAllowed(service, user_id, {
        read: (sources) => service.read(pathOf(user_id, 'daily'), { ...query, ...sources }),
        exclude: excludeDays,
      }),
  );
  add('list_metrics', 'List the metrics of the catalog with their units and descriptions.', {}, () =>
    service.read('/v1/catalog/metrics'),
  );
  add(
    'list_sleep',
    'List sleeps with their minutes per stage, newest first.',
    { ...user, ...range, ...page, include_stages: z.boolean().default(false).describe('add the stages of each sleep') },
    ({ user_id, include_stages, limit, ...query }) =>
      readAllowed(service, user_id, {
        read: (sources) =>
          service.read(pathOf(user_id, 'sleep'), {
            ...query,
            ...sources,
            limit: String(limit),
            ...(include_stages && { include: 'stages' }),
          }),
        exclude: excludeItems,
      }),
  );
  add('list_workouts', 'List workouts, newest first.', { ...user, ...range, ...page }, ({ user_id, limit, ...query }) =>
    readAllowed(service, user_id, {
      read: (sources) => service.read(pathOf(user_id, 'workouts'), { ...query, ...sources, limit: String(limit) }),
      exclude: excludeItems,
    }),
  );
  add(
    'get_workout',
    'Read one workout with heart-rate zones and trace.',
    { ...user, workout_id: z.string().describe('ID from list_workouts') },
    ({ user_id, workout_id }) =>
      readAllowed(service, user_id, {
        read: () => service.read(pathOf(user_id, `workouts/${encodeURIComponent(workout_id)}`)),
        exclude: (workout, excluded) =>
          isItemAllowed(workout, excluded) ? excludeCopies(workout, excluded) : { excluded: describe(excluded, 1) },
      }),
  );
  add(
    'read_scores',
    'Read recovery, strain, sleep, stress, nutrition and energy scores by day.',
    { ...user, ...range },
    ({ user_id, ...query }) =>
      readAllowed(service, user_id, {
        read: () => service.read(pathOf(user_id, 'scores'), { ...query, types: SCORE_TYPES.join() }),
        exclude: (_scores, excluded) => ({ excluded: describe(excluded, null) }),
      }),
  );
  add(
    'explain_score',
    'Explain a score: the contribution of each factor and the usual values, or why there is no score. Needs an API key.',
    {
      ...user,
      type: z.string().describe('for example recovery_score'),
      date: z.iso.date().describe("day in the user's time zone"),
    },
    ({ user_id, ...query }) =>
      readAllowed(service, user_id, {
        read: () => service.read(pathOf(user_id, 'scores/explain'), query),
        exclude: (_score, excluded) => ({ excluded: describe(excluded, null) }),
      }),
  );
  add(
    'summarize_timeseries',
    'Summarize samples: lowest, highest and mean or sum per day, from hourly values. At most 31 days.',
    {
      ...user,
      metrics: z.string().describe('metric IDs with samples, separated by commas, for example heart_rate,steps'),
      start_date: z.iso.date(),
      end_date: z.iso.date(),
    },
    ({ user_id, ...query }) =>
      readAllowed(service, user_id, {
        read: (sources) => service.read(pathOf(user_id, 'timeseries'), { ...query, ...sources, resolution: '1h' }),
        exclude: excludeItems,
        present: summarizeHours,
      }),
  );
  return server;
}

type AllowedRead = {
  /** Is given the parameter that adds sources, if it is needed. */
  read(sources: { readonly include_sources?: 'true' }): Promise<unknown>;
  exclude(reply: unknown, excluded: readonly string[]): unknown;
  present?(reply: unknown): object;
};

/** Reads without the data of providers whose terms forbid its use by models. */
async function readAllowed(
  service: ServiceClient,
  userId: string,
  { read, exclude, present }: AllowedRead,
): Promise<unknown> {
  const excluded = listExcluded(await service.read(pathOf(userId, 'devices')));
  if (excluded.length === 0) {
    const reply = await read({});
    return present === undefined ? reply : present(reply);
  }
  const allowed = exclude(await read({ include_sources: 'true' }), excluded);
  if (present === undefined) return allowed;
  return { ...present(allowed), excluded: (allowed as { excluded?: unknown }).excluded };
}

function pathOf(userId: string, rest?: string): string {
  return `/v1/users/${encodeURIComponent(userId)}${rest === undefined ? '' : `/${rest}`}`;
}
