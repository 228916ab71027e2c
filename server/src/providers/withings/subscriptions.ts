// Subscriptions: one for each user and kind of data ("appli"). They do not end, but Withings removes them after failures.
// https://developer.withings.com/api-reference/#tag/notify
import { type ProviderAnswer, ProviderAnswerError, type ProviderRequest, type SubscriptionRule } from '../contract.ts';
import { readId, readList, readNumber, readText, required } from '../read-json.ts';
import { readBody, readFailure } from './answer.ts';

/** The resources to fetch for each. */
export const TOPICS: ReadonlyMap<string, readonly string[]> = new Map([
  ['1', ['measures']], // weight and body composition
  ['2', ['measures']], // temperature
  ['4', ['measures']], // blood pressure, heart rate, oxygen
  ['16', ['activity', 'workouts', 'intraday']],
  ['44', ['sleep']],
  ['46', []], // the user revoked access
]);

/** The largest 32-bit time: never. */
const NEVER = 2_147_483_647;

const notify = (form: Readonly<Record<string, string>>): ProviderRequest => ({
  origin: 'api',
  method: 'POST',
  path: '/notify',
  form,
  as: 'person',
});

export const withingsSubscriptions: SubscriptionRule = {
  per: 'person',
  wanted: [...TOPICS.keys()],
  listRequest: () => notify({ action: 'list' }),
  readList: readProfiles,
  createRequest: (topic, callbackUrl) => notify({ action: 'subscribe', callbackurl: callbackUrl, appli: topic }),
  renewRequest: null,
  readFailure,
  deleteRequest(id) {
    const [appli = '', callbackurl = ''] = id.split(' ');
    return notify({ action: 'revoke', callbackurl, appli });
  },
};

/** A refusal has an empty body: read as a list, we would subscribe to everything again. */
function readProfiles(answer: ProviderAnswer) {
  const failure = readFailure(answer);
  if (failure !== null) throw new ProviderAnswerError(`no list of subscriptions: ${failure}`);
  return readList(readBody(answer.body), 'profiles').map((profile) => {
    const topic = required(readId(profile, 'appli'), 'appli');
    const callbackUrl = required(readText(profile, 'callbackurl'), 'callbackurl');
    const ends = readNumber(profile, 'expires') ?? NEVER;
    return {
      id: `${topic} ${callbackUrl}`,
      topic,
      endsAt: ends >= NEVER ? null : new Date(ends * 1_000),
      callbackUrl,
    };
  });
}
