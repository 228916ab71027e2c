// From an upload to a receiver: deliveries are signed, equal to the feed, and retried until they are accepted.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { startSink } from '../support/webhook-sink.ts';

const service = await startTestService({ environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const sink = await startSink();
after(async () => {
  await sink.close();
  await service.stop();
});

describe('a webhook', () => {
  it('gets each event of an upload, signed, byte for byte as in the feed', async () => {
    const { live } = await createAccount(service);
    const api = service.api(live);
    const made = await api.post('/v1/webhooks', { url: sink.url('/all'), events: ['*'] });
    assert.equal(made.status, 201, made.text);
    const user = await createUser(api);
    const phone = await startPhone(service, user.id, { key: live });
    await phone.upload({ samples: [{ metric: 'steps', start: '2026-03-01T08:00:00Z', value: 120 }] });

    const received = await sink.wait('/all', 2);
    const feed = await api.get('/v1/events');
    assert.equal(feed.status, 200);
    assert.deepEqual(
      feed.body.events.map((event: { event_type: string }) => event.event_type),
      ['device.connected', 'data.updated'],
    );
    for (const event of feed.body.events) {
      const delivered = received.find(({ headers }) => headers['webhook-id'] === event.event_id);
      assert.ok(delivered && feed.text.includes(delivered.body), 'the same bytes');
      const headers = delivered.headers as Record<string, string>;
      assert.deepEqual(new Verifier(made.body.data.secret).verify(delivered.body, headers), event);
      assert.equal(headers['content-type'], 'application/json');
    }
  });
});
