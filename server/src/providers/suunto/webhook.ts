// Webhooks, configured in the partner profile together with the secret that signs them. 24/7 data is inside; of a workout only
// the beginning is, so it is fetched.

import type { EpochMs } from '../../domain/records/records.ts';
import { MINUTE_MS } from '../../domain/time/durations.ts';
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { WebhookItem, WebhookRule } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { asObject, type JsonObject, readId, readPart, readText, readValues, required } from '../read-json.ts';
import { signSha256 } from '../webhook-signatures.ts';

/** Recoveries and routes (planned tracks) have nothing for the catalog. */
const PUSHED: ReadonlyMap<string, string> = new Map([
  ['SUUNTO_247_SLEEP_CREATED', 'sleep'],
  ['SUUNTO_247_ACTIVITY_CREATED', 'activity'],
]);
const WORKOUT = 'WORKOUT_CREATED';
/** Around the start, in case the provider rounds it. */
const MARGIN_MS = MINUTE_MS;

export const suuntoWebhook: WebhookRule = {
  trust: 'hmac',
  answerChallenge: () => null,
  /** A replay cannot be detected: no time is signed. It stores the same records again. */
  verify({ headers, body }, { extras }) {
    const sent = headers['x-hmac-sha256-signature'] ?? '';
    const secret = extras?.notification_secret;
    if (secret === undefined || !/^[0-9a-f]{64}$/i.test(sent)) return 'forged';
    return isSameSecret(signSha256(secret, body), Buffer.from(sent, 'hex')) ? 'genuine' : 'forged';
  },
  readWebhookItems(bytes) {
    const event = asObject(parseJsonBytes(bytes));
    const type = readText(event, 'type') ?? '';
    if (type === WORKOUT) return [readWorkout(event)];
    const resource = PUSHED.get(type);
    if (resource === undefined) return [];
    const body = readValues(event, 'samples');
    return [{ kind: 'pushed', providerUserId: readUser(event), resource, body }];
  },
  subscriptions: null,
};

function readWorkout(event: JsonObject): WebhookItem {
  const workout = readPart(event, 'workout') ?? {};
  const start = typeof workout.startTime === 'number' ? workout.startTime : null; // only a hint
  const around = (ms: number) => (start === null ? null : ((start + ms) as EpochMs));
  const interval = { from: around(-MARGIN_MS), to: around(MARGIN_MS) };
  return {
    kind: 'changed',
    providerUserId: readUser(event),
    resource: 'workouts',
    id: readText(workout, 'workoutKey'),
    ...interval,
  };
}

function readUser(event: JsonObject): string {
  return required(readId(event, 'username'), 'username');
}
