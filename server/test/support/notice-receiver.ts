// Receives notices of simulated providers as the service does: answers challenges by the connector's rule, keeps the rest.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Notice, NoticeRequest, NoticeSecrets, WebhookRule } from '../../src/providers/contract.ts';
import type { StartedSimulator } from './start-simulator.ts';

export type NoticeReceiver = {
  readonly url: string;
  readonly notices: NoticeRequest[];
  /** What notices are answered with from now on. */
  answerWith(status: number): void;
  close(): Promise<void>;
};

export async function startNoticeReceiver(rule: WebhookRule, secrets: NoticeSecrets): Promise<NoticeReceiver> {
  const notices: NoticeRequest[] = [];
  let status = rule.acknowledgement.status;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
    const notice: NoticeRequest = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(headers),
      body: await buffer(request),
    };
    const challenge = rule.answerChallenge(notice, secrets);
    if (challenge !== null) return response.writeHead(challenge.status).end(challenge.body);
    notices.push(notice);
    return response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/provider-webhooks`,
    notices,
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

export type NoticeListener = {
  /** All that is told at one tick; the receiver keeps the requests until the next. */
  tell(): Promise<Notice[]>;
  toldOf(resource: string): Promise<Notice[]>;
};

/** As the connector reads it. */
export function listenTo(
  { simulator }: StartedSimulator,
  webhook: WebhookRule,
  receiver: NoticeReceiver,
): NoticeListener {
  const tell = async () => {
    receiver.notices.length = 0;
    await simulator.tick();
    return readAll(webhook, receiver);
  };
  return {
    tell,
    toldOf: async (resource) => (await tell()).filter((notice) => 'resource' in notice && notice.resource === resource),
  };
}

/** What was received, by the resource that it names. */
export function noticesByResource(webhook: WebhookRule, receiver: NoticeReceiver) {
  return Object.groupBy(readAll(webhook, receiver), (notice) => ('resource' in notice ? notice.resource : notice.kind));
}

function readAll(webhook: WebhookRule, { notices }: NoticeReceiver): Notice[] {
  return notices.flatMap(({ body }) => [...webhook.readNotices(body)]);
}
