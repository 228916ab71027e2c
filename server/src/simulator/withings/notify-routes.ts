// Subscriptions of a user, one for each category of data ("appli") and URL. The URL is tested with HEAD first.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import type { Subscription } from '../subscription-store.ts';
import { refuseParameter, refuseWith, refuseWithings, replyBody } from './answer.ts';

const SCOPES: Readonly<Record<string, string>> = {
  1: 'user.metrics',
  2: 'user.metrics',
  4: 'user.metrics',
  16: 'user.activity',
  44: 'user.activity',
  46: 'user.info',
  50: 'user.sleepevents',
  51: 'user.sleepevents',
  54: 'user.metrics',
  58: 'user.metrics',
};
/** The largest 32-bit integer: never. */
const NEVER_SECONDS = 2_147_483_647;
const CALLBACK_REFUSED = 293;
const NO_SUCH_SUBSCRIPTION = 294;

const route = (action: string, answer: (call: PersonCall) => RawReply | Promise<RawReply>): SimulatedRoute => {
  return { method: 'POST', path: '/notify', form: { action }, access: 'person', scope: null, answer };
};

export const notifyRoutes: readonly SimulatedRoute[] = [
  route('subscribe', answerSubscribe),
  route('list', (call) => {
    const appli = call.form.get('appli');
    const requested = listOwn(call).filter(({ topic }) => topic === (appli ?? topic));
    return replyBody({ profiles: requested.map(describe) });
  }),
  route('get', (call) => onOne(call, (one) => replyBody(describe(one)))),
  route('revoke', (call) =>
    onOne(call, ({ id }) => {
      call.context.subscriptions.remove(id);
      return replyBody({});
    }),
  ),
];

async function answerSubscribe({ form, context, view, scopes }: PersonCall): Promise<RawReply> {
  const [callbackUrl, topic] = [form.get('callbackurl') ?? '', form.get('appli') ?? ''];
  const scope = SCOPES[topic];
  if (!URL.canParse(callbackUrl)) return refuseParameter('invalid callbackurl');
  if (scope === undefined) return refuseParameter('invalid appli');
  if (!scopes.includes(scope)) return refuseWithings('forbidden', []);
  const account = view.account.seed;
  const tried = { provider: 'withings', account, method: 'HEAD', url: callbackUrl, headers: {}, body: '' } as const;
  const answer = await context.send(tried);
  if (answer?.status !== 200) return refuseWith(CALLBACK_REFUSED, 'The callback URL did not answer 200');
  const id = `${account} ${topic} ${callbackUrl}`;
  context.subscriptions.put({ id, topic, callbackUrl, endsMs: null, account, secret: null });
  return replyBody({});
}

function listOwn({ context, view }: PersonCall): Subscription[] {
  return context.subscriptions.list(context.now()).filter(({ account }) => account === view.account.seed);
}

function onOne(call: PersonCall, act: (one: Subscription) => RawReply): RawReply {
  const [callbackUrl, appli] = [call.form.get('callbackurl'), call.form.get('appli')];
  const found = listOwn(call).find((one) => one.callbackUrl === callbackUrl && one.topic === appli);
  return found === undefined ? refuseWith(NO_SUCH_SUBSCRIPTION, 'No such subscription could be found') : act(found);
}

function describe({ topic, callbackUrl }: Subscription) {
  return { appli: Number(topic), callbackurl: callbackUrl, expires: NEVER_SECONDS, comment: '' };
}
