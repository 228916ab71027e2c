// Describes the requests that the service sends to receivers of webhooks, for the OpenAPI document.
import type { TObject } from 'typebox';
import type { Components, Json } from './openapi-components.ts';
import { showExamples } from './openapi-examples.ts';

export type WebhookPayload = {
  /** The type of the event. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: TObject;
};

/** Of Standard Webhooks. */
const HEADERS = [
  { name: 'webhook-id', description: 'id of the event; the same in repeated deliveries, so that you can ignore them' },
  { name: 'webhook-timestamp', description: 'time of the attempt in seconds since 1970; reject old ones' },
  {
    name: 'webhook-signature',
    description:
      'one or more signatures, separated by spaces: `v1,` and the Base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`',
  },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }));

const RESPONSES = {
  '2XX': { description: 'The delivery succeeded. Answer within 15 seconds and do slow work later.' },
  '410': { description: 'The webhook is disabled and receives no more deliveries.' },
  default: { description: 'The delivery is retried, up to nine times within about three days.' },
};

export function describeWebhooks(
  payloads: readonly WebhookPayload[],
  components: Components,
  examples: Readonly<Record<string, unknown>>,
): Json {
  return Object.fromEntries(
    payloads.map(({ name, summary, description, schema }) => {
      const content = {
        schema: components.refer(schema as unknown as Json),
        ...showExamples(name in examples ? [{ form: null, value: examples[name] }] : []),
      };
      const post = {
        operationId: nameOperation(name),
        tags: ['Webhooks'],
        summary,
        description,
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: RESPONSES,
      };
      return [name, { post }];
    }),
  );
}

/** data.updated → onDataUpdated */
function nameOperation(type: string): string {
  return `on${type.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`;
}
