// The OpenAPI document of the public API: made by "npm run generate", served with the URL of the service.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Form } from './domain/tenancy.ts';
import { webhookPayloads } from './features/notify/events/index.ts';
import { describeApi } from './platform/http/openapi.ts';
import { collectExamples, NO_EXAMPLES, type RecordedExamples } from './platform/http/openapi-examples.ts';
import { publicRoutes } from './routes.ts';

const DEFAULT_URL = 'http://127.0.0.1:8080';
const FILE = path.join(import.meta.dirname, '../../docs/openapi.json');

const TAGS: Readonly<Record<string, string>> = {
  Catalogs: 'Metrics and cloud providers that this service knows.',
  Users: 'The people whose data you store. Every other resource belongs to a user.',
  Devices: 'Sources of data: connect and disconnect provider accounts, list sources and fetch their data now.',
  Consolidation: 'How one value is made of the values of several devices, per user and metric.',
  'Data reads': 'Daily values, sleep, workouts, scores and samples, consolidated across the devices of a user.',
  Explanations: 'Where a daily value or a score comes from, step by step.',
  'Team roster': 'Invite people to share their data with your organization. Needs a live API key.',
  'Mobile SDK': 'Sessions of app installations and uploads from phones.',
  Tokens: 'Tokens for your frontend and your app, issued with an API key.',
  Webhooks: 'Endpoints that receive events, their deliveries and their signing secrets.',
  Events: 'All events of the environment, in order, for polling and for recovery after an outage.',
  Operations: 'Health, version and documentation of the service. These calls need no credential.',
};

/** `form`: only one of the two. */
export function describePublicApi(
  examples: RecordedExamples = NO_EXAMPLES,
  form?: Form | undefined,
): Record<string, unknown> {
  return describeApi(publicRoutes, DEFAULT_URL, { tags: TAGS, webhooks: webhookPayloads, examples, form });
}

/** With recorded examples, which only the generator has; the document of one form takes them from the published one. */
export function readPublishedApi(serverUrl: string, form?: Form | undefined): Record<string, unknown> {
  const published = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>;
  const document = form === undefined ? published : describePublicApi(collectExamples(published), form);
  const contact = { name: 'API reference', url: `${serverUrl}/docs` };
  return { ...document, info: { ...(document.info as object), contact }, servers: [{ url: serverUrl }] };
}
