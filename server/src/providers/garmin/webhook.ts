// Webhooks: whole summaries (push) or links to them (ping), many users in one body, and no signature. The secret in the path and
// a header with our client id authenticate Garmin.
import { isSameSecret } from '../../platform/crypto/is-same-secret.ts';
import type { ProviderRequest, WebhookItem, WebhookRule } from '../contract.ts';
import { parseJsonBytes } from '../parse-json.ts';
import { collectRecords } from '../provider-records.ts';
import {
  asObject,
  type JsonObject,
  readId,
  readList,
  readNumber,
  readText,
  readValues,
  required,
} from '../read-json.ts';
import { GARMIN_KINDS } from './kinds.ts';
import { sharesAnything } from './oauth.ts';

const API = 'https://apis.garmin.com';
const LINKS = '/wellness-api/rest/';
/** Characters of JSON: parsed and mapped in about 27 ms. */
const PART_LENGTH = 262_144;
const NAMES: ReadonlySet<string> = new Set(GARMIN_KINDS.map(({ name }) => name));

export const GARMIN_WEBHOOK: WebhookRule = {
  trust: 'path',
  answerChallenge: () => null,
  verify({ path, headers }, { clientId, verificationToken }) {
    const secret = path.split('/').at(-1) ?? '';
    const sender = headers['garmin-client-id'] ?? clientId;
    return isSameSecret(verificationToken, secret) && isSameSecret(clientId, sender) ? 'genuine' : 'forged';
  },
  readWebhookItems(body) {
    const lists = asObject(parseJsonBytes(body));
    return Object.keys(lists).flatMap((name) => {
      if (name === 'deregistrations') return readList(lists, name).flatMap(readDeregistration);
      if (name === 'userPermissionsChange') return readPermissions(readList(lists, name));
      return NAMES.has(name) ? readSummaries(name, readValues(lists, name)) : [];
    });
  },
  subscriptions: null, // configured by hand in Garmin's tools, for each kind
};

function readDeregistration(item: JsonObject): WebhookItem[] {
  const providerUserId = readId(item, 'userId');
  return providerUserId === null ? [] : [{ kind: 'deauthorized', providerUserId }];
}

/** Of several the last counts. One without a list is ignored. */
function readPermissions(changes: readonly JsonObject[]): WebhookItem[] {
  const timeOf = (change: JsonObject) => readNumber(change, 'changeTimeInSeconds') ?? 0; // s
  const byUser = new Map<string, readonly unknown[]>();
  for (const change of changes.toSorted((one, other) => timeOf(one) - timeOf(other))) {
    const providerUserId = readId(change, 'userId');
    if (providerUserId !== null && Array.isArray(change.permissions)) byUser.set(providerUserId, change.permissions);
  }
  return [...byUser].map(([providerUserId, permissions]): WebhookItem => {
    return { kind: 'sharing', providerUserId, sharesAnything: sharesAnything(permissions) };
  });
}

/** One item per user and kind, split if it is large. Summaries without a user are dropped. */
function readSummaries(resource: string, items: readonly unknown[]): WebhookItem[] {
  const byUser = Map.groupBy(listOwned(items), ({ userId }) => userId);
  return [...byUser].flatMap(([providerUserId, ofUser]): WebhookItem[] => {
    const links = ofUser.flatMap(({ link }) => link ?? []);
    const reported = ofUser.filter(({ link }) => link === null);
    return [
      ...splitSummaries(resource, reported).map((body) => ({
        kind: 'pushed' as const,
        providerUserId,
        resource,
        body,
      })),
      ...links.flatMap(readLink).map((request) => {
        return { kind: 'changed' as const, providerUserId, resource, id: null, from: null, to: null, request };
      }),
    ];
  });
}

type OwnedSummary = {
  readonly item: JsonObject;
  readonly userId: string;
  readonly link: string | null;
  readonly startSeconds: number | null;
};

/** An unreadable summary must not affect the others of the body, which may belong to other users. */
function listOwned(items: readonly unknown[]): OwnedSummary[] {
  const owned: OwnedSummary[] = [];
  collectRecords().each(items, (item) => {
    const userId = required(readId(item, 'userId'), 'userId');
    const link = readText(item, 'callbackURL');
    owned.push({ item, userId, link, startSeconds: readNumber(item, 'startTimeInSeconds') });
  });
  return owned;
}

/** Each part is mapped and stored at once on the event loop. Epochs of one quarter hour add up, so they stay together. */
function splitSummaries(resource: string, summaries: readonly OwnedSummary[]): JsonObject[][] {
  const groups =
    resource === 'epochs'
      ? Map.groupBy(summaries, ({ startSeconds }) => startSeconds).values()
      : summaries.map((summary) => [summary]);
  const parts: JsonObject[][] = [];
  let size = PART_LENGTH;
  for (const group of groups) {
    const items = group.map(({ item }) => item);
    const length = JSON.stringify(items).length;
    const isFull = size + length > PART_LENGTH;
    if (isFull) parts.push([]);
    parts.at(-1)?.push(...items);
    size = isFull ? length : size + length;
  }
  return parts;
}

/** A link to another host is not followed; the others of the same webhook are. */
function readLink(text: string): ProviderRequest[] {
  if (!URL.canParse(text)) return [];
  const { origin, pathname, searchParams, username, password } = new URL(text);
  if (origin !== API || !pathname.startsWith(LINKS) || username !== '' || password !== '') return [];
  return [{ origin: 'api', method: 'GET', path: pathname, query: Object.fromEntries(searchParams), as: 'person' }];
}
