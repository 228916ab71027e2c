// Receives webhooks of simulated providers like the service: it answers challenges by the connector's rule and stores the rest.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { WebhookItem, WebhookRequest, WebhookRule, WebhookSecrets } from '../../src/providers/contract.ts';
import { KEPT_OPEN } from './kept-open.ts';
import type { StartedSimulator } from './start-simulator.ts';

type WebhookReceiver = {
  readonly url: string;
  readonly webhooks: WebhookRequest[];
  /** The response to webhooks from now on. */
  answerWith(status: number): void;
  close(): Promise<void>;
};

export async function startWebhookReceiver(rule: WebhookRule, secrets: WebhookSecrets): Promise<WebhookReceiver> {
  const webhooks: WebhookRequest[] = [];
  let status = rule.acknowledgement?.status ?? 200;
  const server = createServer(KEPT_OPEN, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
    const webhook: WebhookRequest = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(headers),
      body: await buffer(request),
    };
    const challenge = rule.answerChallenge(webhook, secrets);
    if (challenge !== null) return response.writeHead(challenge.status).end(challenge.body);
    webhooks.push(webhook);
    return response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/provider-webhooks`,
    webhooks,
    answerWith: (other) => {
      status = other;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type WebhookListener = {
  /** Everything sent at one tick; the receiver keeps the requests until the next. */
  tickAndRead(): Promise<WebhookItem[]>;
  reportedOf(resource: string): Promise<WebhookItem[]>;
};

/** As the connector reads it. */
export function listenTo(
  { simulator }: StartedSimulator,
  webhook: WebhookRule,
  receiver: WebhookReceiver,
): WebhookListener {
  const tickAndRead = async () => {
    receiver.webhooks.length = 0;
    await simulator.tick();
    return readAll(webhook, receiver);
  };
  return {
    tickAndRead,
    reportedOf: async (resource) =>
      (await tickAndRead()).filter((webhook) => 'resource' in webhook && webhook.resource === resource),
  };
}

/** The received webhooks, by the resource that they name. */
export function webhooksByResource(webhook: WebhookRule, receiver: WebhookReceiver) {
  return Object.groupBy(readAll(webhook, receiver), (webhook) =>
    'resource' in webhook ? webhook.resource : webhook.kind,
  );
}

function readAll(webhook: WebhookRule, { webhooks }: WebhookReceiver): WebhookItem[] {
  return webhooks.flatMap(({ body }) => [...webhook.readWebhookItems(body)]);
}
