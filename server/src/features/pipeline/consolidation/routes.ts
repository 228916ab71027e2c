// Consolidation: the catalog of settings, a user's configuration and its changes. Both forms return the same shape.
import type { SettingsChange } from '../../../domain/consolidate/consolidation-rules.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import {
  type ChangeResult,
  changeConsolidation,
  previewConsolidation,
  readConfiguration,
  resetConsolidation,
} from './change-consolidation.ts';
import { CATALOG, type Configuration } from './configuration.ts';
import type { Preview } from './preview-settings.ts';
import { catalogReply, changeBody, changeQuery, changeReply, configuration, previewReply } from './schemas.ts';

const tag = 'Consolidation';
const path = '/v1/users/:user_id/consolidation';
const access = { to: 'api_key', billing: 'checked' } as const;

const presentPreview = ({ scores, reason, ...preview }: Preview) =>
  scores === null ? preview : { ...preview, reason, scores };

export const consolidationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/consolidation/catalog',
    operationId: 'getConsolidationCatalog',
    tag,
    summary: 'List the metrics and groups that can be configured, with their methods',
    description:
      '`key` names a metric, or a group of metrics that share one setting. Use keys and methods in PATCH /v1/users/{user_id}/consolidation.',
    access,
    healthDataOf: 'nobody',
    replies: { 200: catalogReply },
    present: () => ({ status: 200, body: CATALOG }),
    handle: () => null,
  }),
  route({
    method: 'GET',
    path,
    operationId: 'getConsolidation',
    tag,
    summary: "Get a user's effective consolidation configuration",
    description: 'Lists the effective method of every key and the providers that may contribute to it.',
    access,
    healthDataOf: 'path_user',
    replies: { 200: configuration },
    parse: ({ params }) => ({ userId: params.user_id }),
    present: (body: Configuration) => ({ status: 200, body }),
    errors: ['user_not_found'],
    handle: readConfiguration,
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'changeConsolidation',
    tag,
    summary: "Change a user's consolidation configuration; omitted fields stay unchanged",
    description:
      'Before it responds, the call stores the whole change or nothing. A background job recomputes the daily values; a `subject.synced` event follows if a value changed. ' +
      'With `preview=true` the call stores nothing, and the response (200) lists the values that would change. With `scores=true` it also lists the scores of the last 30 days that would change, or explains why nothing would.',
    access,
    healthDataOf: (result) => ('status' in result ? 'nobody' : 'path_user'),
    query: changeQuery,
    body: changeBody,
    replies: { 200: previewReply, 202: changeReply },
    parse: ({ params, query, body }) => ({
      userId: params.user_id,
      isPreview: query.preview,
      withScores: query.scores,
      change: { metrics: body.metrics ?? {}, providers: body.providers ?? {} } as SettingsChange,
    }),
    present: (result: ChangeResult | Preview) =>
      'status' in result ? { status: 202, body: result } : { status: 200, body: presentPreview(result) },
    errors: ['user_not_found', 'unknown_consolidation_key', 'invalid_method', 'invalid_provider'],
    handle: (context, input) =>
      input.isPreview ? previewConsolidation(context, input) : changeConsolidation(context, input),
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'resetConsolidation',
    tag,
    summary: 'Restore the default methods and providers',
    description:
      'Removes every override of the user. If values change, days and scores are recomputed in the background and `subject.synced` follows.',
    access,
    healthDataOf: 'nobody',
    replies: { 202: changeReply },
    parse: ({ params }) => ({ userId: params.user_id }),
    present: (body: ChangeResult) => ({ status: 202, body }),
    errors: ['user_not_found'],
    handle: resetConsolidation,
  }),
];
