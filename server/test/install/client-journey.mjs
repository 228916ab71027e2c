// Runs with the packed @tributary/client in every runtime. Prints "done" at the end.
import {
  NotFoundError,
  ReferenceTakenError,
  Tributary,
  verifyWebhook,
  WebhookVerificationError,
} from '@tributary/client';

const { TRIBUTARY_URL: baseUrl, TRIBUTARY_API_KEY: apiKey, DELIVERY } = process.env;
const one = new Tributary({ baseUrl, apiKey, form: 1 });
const two = new Tributary({ baseUrl, apiKey, form: 2 });

function check(isTrue, what) {
  if (!isTrue) throw new Error(`failed: ${what}`);
}
async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
}

const reference = `runtime-${Math.random()}`;
const user = await two.users.create({ external_ref: reference, timezone: 'Europe/Berlin' });
const taken = await errorOf(two.users.create({ external_ref: reference }));
check(taken instanceof ReferenceTakenError && taken.details.user_id === user.id, 'an error has its class and details');
check((await one.users.get(user.id)).data.id === user.id, 'Form 1 reads the user');
const daily = await two.daily.get(user.id, { types: ['steps', 'resting_heart_rate'] });
check(daily.dates.length > 0 && 'steps' in daily.series, 'daily values are columns');
let found = false;
for await (const { id } of two.users.iterate({ limit: 100 })) found ||= id === user.id;
check(found, 'the iterator finds the user');
for await (const { cursor } of two.events.pages({ limit: 10 }))
  check(typeof cursor === 'string', 'a page has a cursor');

const query = { format: 'ndjson', resources: ['daily'] };
const text = await new Response(await two.users.export(user.id, query)).text();
check(/^\{"resource":"daily".*\}\n$/s.test(text), 'an export is a file');
let bytes = 0;
for await (const chunk of await two.users.export(user.id, query)) bytes += chunk.length;
check(bytes === new TextEncoder().encode(text).length, 'an export can be walked');
const unread = await two.users.export(user.id, { format: 'fhir' });
await unread.cancel();

const session = await two.sdkSessions.create(user.id, { installation_id: reference, platform: 'ios' });
check(typeof session.client_token === 'string', 'an SDK session has a token');
const { token } = await two.tokens.issueUserToken(user.id);
const reader = new Tributary({ baseUrl, token: async () => token, form: 2 });
check('latest' in (await reader.scores.get(user.id)), 'a user token reads scores');

const aborted = new AbortController();
aborted.abort(new Error('enough'));
check((await errorOf(two.users.list({}, { signal: aborted.signal }))).message === 'enough', 'a signal ends a call');
const running = new AbortController();
const call = errorOf(two.users.list({}, { signal: running.signal }));
running.abort(new Error('stop'));
check((await call).message === 'stop', 'a signal ends a running call');

const delivery = JSON.parse(DELIVERY);
check((await verifyWebhook(delivery)).event_type === 'test', 'a signed delivery is valid');
const forged = await errorOf(verifyWebhook({ ...delivery, body: delivery.body.replace('test', 'tost') }));
check(forged instanceof WebhookVerificationError, 'a forged delivery is refused');

await two.users.delete(user.id);
check((await errorOf(two.users.get(user.id))) instanceof NotFoundError, 'a deleted user is gone');
process.stdout.write('done\n');
