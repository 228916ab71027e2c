// Values by field name that exist in the service under test: ids of its records, metrics, providers, dates.

import { CLOUD_PROVIDER_IDS } from '../../src/domain/provider-ids.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { Random } from '../faults/random.ts';
import type { FuzzWorld, Subject } from './fuzz-world.ts';
import { drawUuid, pick } from './generate-value.ts';

const METRICS = ['steps', 'heart_rate', 'distance', 'floors_climbed'];
const SCORES = ['recovery_score', 'sleep_score', 'strain_score', 'stress_score'];
const PROVIDERS = ['apple_health', ...CLOUD_PROVIDER_IDS];
const ZONES = ['Europe/Berlin', 'UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'];
const LONGEST_RANGE_DAYS = 20;

export function knownValues(
  random: Random,
  operation: string,
  world: FuzzWorld,
  { environment, user }: Subject,
): Record<string, readonly unknown[]> {
  const webhook = environment.webhooks.length === 0 ? null : pick(random, environment.webhooks);
  const [first, last] = drawRange(random);
  // One member stays, for reads and changes.
  const members = operation.startsWith('DELETE') ? environment.members.slice(1) : environment.members;
  const isScores = operation.includes('/scores');
  return {
    user_id: [user.id],
    device_id: user.devices,
    workout_id: user.workouts,
    session_id: user.sessions,
    webhook_id: webhook === null ? [] : [webhook.id],
    delivery_id: webhook?.deliveries ?? [],
    id: operation.includes('/invitations') ? environment.invitations : operation.includes('/roster') ? members : [],
    cursor: environment.cursors,
    'idempotency-key': [drawUuid(random)],
    client_token: world.clientTokens,
    refresh_token: world.refreshTokens,
    'If-None-Match': world.etags,
    url: [`${world.receiver}/${random.integer(0, 9)}`],
    redirect_url: ['https://app.example/back'],
    metric: METRICS,
    metrics: operation.startsWith('PATCH') ? [] : [METRICS.join(), pick(random, METRICS)],
    types: isScores ? [SCORES.join(), pick(random, SCORES)] : [METRICS.join(), pick(random, METRICS)],
    seed: [false],
    unit: [null],
    provider: operation.includes('/sdk/') ? ['apple_health'] : PROVIDERS,
    timezone: ZONES,
    sport_type: ['running', 'cycling', 'yoga'],
    start_date: [first],
    from_date: [first],
    end_date: [last],
    to_date: [last],
    date: [first, last],
    'metrics.*': METRICS,
    'providers.*': ['apple_health', pick(random, PROVIDERS)], // the first is one of every user with data
    '*': [...METRICS, ...PROVIDERS],
  };
}

/** Reads of a few days within the last weeks. */
function drawRange(random: Random): [string, string] {
  const days = random.integer(0, LONGEST_RANGE_DAYS);
  const lastMs = Date.now() - random.integer(0, LONGEST_RANGE_DAYS) * DAY_MS;
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return [dateOf(lastMs - days * DAY_MS), dateOf(lastMs)];
}
