// A connector against the simulator: it sends requests over HTTP and maps the responses. Kept minimal: locks, budgets and
// retries belong to the sync engine.
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { createZone } from '../../src/domain/time/day.ts';
import type {
  CloudProvider,
  FetchWindow,
  ProviderAccount,
  ProviderAnswer,
  ProviderRequest,
  Resource,
  TokenRefusal,
  TokenSet,
} from '../../src/providers/contract.ts';
import { parseJson } from '../../src/providers/parse-json.ts';
import type { ProviderRecords } from '../../src/providers/provider-records.ts';
import type { StartedSimulator } from './start-simulator.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/callback';
export const SIMULATED_ZONE = 'Europe/Berlin';

export type SimulatedConnection = {
  readonly account: ProviderAccount;
  ask(request: ProviderRequest): Promise<ProviderAnswer>;
  /** All pages of a window and the records that they name, mapped, including follow-up requests. */
  read(resource: Resource, window: FetchWindow): Promise<ProviderRecords[]>;
  readOne(resource: Resource, id: string): Promise<ProviderRecords>;
  /** The record and its follow-up requests. */
  readOneWithMore(resource: Resource, id: string): Promise<ProviderRecords[]>;
  /** With the newest refresh token, or with the given one. */
  refresh(refreshToken?: string): Promise<TokenSet | TokenRefusal>;
};

export async function connectSimulated(
  simulator: StartedSimulator,
  provider: CloudProvider,
  form: Readonly<Record<string, string>> = { decision: 'allow' },
): Promise<SimulatedConnection> {
  const client = simulator.simulator.clientOf(provider.id);
  const verifier = 'verifier-'.padEnd(64, 'x');
  const { oauth } = provider;
  const call = async (request: ProviderRequest, headers: Readonly<Record<string, string>>): Promise<ProviderAnswer> => {
    const url = new URL(`${simulator.url}/${provider.id}${request.path}`);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method: request.method,
      headers: {
        ...(request.json !== undefined && { 'content-type': 'application/json' }),
        ...(request.origin === 'api' && provider.apiHeaders?.(client)),
        ...headers,
        ...request.headers,
      },
      ...(request.form && { body: new URLSearchParams(request.form) }),
      ...(request.json !== undefined && { body: JSON.stringify(request.json) }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await readBody(response) };
  };
  const basic = {
    authorization: `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`,
  };
  const requestTokens = async (request: ProviderRequest, refreshed?: string) => {
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const isBody = oauth.clientAuthentication === 'body';
    const sent = isBody ? { ...request, form: { ...request.form, ...credentials } } : request;
    return oauth.readTokens(await call(sent, isBody ? {} : basic), refreshed);
  };

  const back = await simulator.consent(await authorizeUrl(simulator, provider, verifier), form);
  const code = back.get('code') ?? '';
  const codeVerifier = oauth.hasPkce ? verifier : null;
  let tokens = demandTokens(
    await requestTokens(oauth.exchangeRequest({ code, redirectUri: REDIRECT_URI, codeVerifier })),
  );
  let providerUserId = tokens.providerUserId;
  const askAsApplication = (request: ProviderRequest) => {
    const parameters = provider.applicationParameters?.(client);
    if (parameters === undefined) return call(request, provider.applicationHeaders?.(client) ?? basic);
    const place = request.form === undefined ? 'query' : 'form';
    return call({ ...request, [place]: { ...request[place], ...parameters } }, {});
  };
  const ask = (request: ProviderRequest) => {
    if (request.as === 'application') return askAsApplication(request);
    return call(request, request.as === 'person' ? { authorization: `Bearer ${tokens.accessToken}` } : {});
  };
  for (const step of oauth.afterConnect) {
    const answer = await ask(step.request({ providerUserId, memberId: 'member-1' }));
    if (answer.status >= 300 && !step.alsoGood?.includes(answer.status))
      throw new Error(`after connect: ${answer.status}`);
    providerUserId = step.readUserId(answer) ?? providerUserId;
  }
  const account = (): ProviderAccount => {
    return { providerUserId: providerUserId ?? '', accessToken: tokens.accessToken, refreshToken: tokens.refreshToken };
  };
  const map = async (resource: Resource, answer: ProviderAnswer, window: FetchWindow | null) => {
    const failure = resource.readFailure?.(answer) ?? null;
    if (failure !== null || answer.status >= 300) throw new Error(`${resource.name}: ${failure ?? answer.status}`);
    const records = [resource.map(answer.body, { zone: SIMULATED_ZONE, window })];
    for (const { resource: name, request, calledBy } of resource.followUps?.(answer.body, account()) ?? []) {
      const followed = resourceOf(provider, name);
      const more = await ask(request);
      const isThere = !followed.isEmpty(more);
      if (isThere || calledBy !== undefined)
        records.push(followed.map(isThere ? more.body : null, { zone: SIMULATED_ZONE, window, calledBy }));
    }
    return records;
  };

  const readOneWithMore = async (resource: Resource, id: string) => {
    if (resource.requestOne === undefined) throw new Error(`${resource.name} cannot be fetched by id`);
    return map(resource, await ask(resource.requestOne(id, account())), null);
  };

  return {
    get account() {
      return account();
    },
    ask,
    async read(resource, window) {
      const pages: ProviderRecords[] = [];
      let cursor: string | null = null;
      do {
        const answer: ProviderAnswer = await ask(resource.request(window, cursor, account()));
        if (resource.isEmpty(answer)) return pages;
        const listed = resource.listRecords?.(answer.body) ?? [];
        const mapped = await map(resource, answer, window);
        pages.push(...(listed.length === 0 ? mapped : mapped.map((page) => ({ ...page, workouts: [] }))));
        for (const { id } of listed) pages.push(...writtenOnce(await readOneWithMore(resource, id)));
        cursor = resource.nextCursor(answer.body, cursor);
      } while (cursor !== null);
      return pages;
    },
    readOneWithMore,
    async readOne(resource, id) {
      const [records] = await readOneWithMore(resource, id);
      if (records === undefined) throw new Error('nothing was mapped');
      return records;
    },
    async refresh(refreshToken = tokens.refreshToken ?? '') {
      const answer = await requestTokens(
        oauth.refreshRequest?.(refreshToken) ?? raise('its tokens cannot be refreshed'),
        tokens.accessToken,
      );
      if (!('refused' in answer)) tokens = { ...answer, refreshToken: answer.refreshToken ?? tokens.refreshToken };
      return answer;
    },
  };
}

/** As the hosted connection page redirects a user. */
async function authorizeUrl(
  { url, simulator }: StartedSimulator,
  { id, oauth }: CloudProvider,
  verifier: string,
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  const challenge = {
    code_challenge: Buffer.from(digest).toString('base64url'),
    code_challenge_method: 'S256',
  };
  const scopes = Object.keys(oauth.scopes);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: simulator.clientOf(id).clientId,
    redirect_uri: REDIRECT_URI,
    ...(scopes.length > 0 && { scope: scopes.join(oauth.scopeSeparator) }),
    state: 'state-of-the-test',
    ...(oauth.hasPkce && challenge),
    ...oauth.authorizeParameters,
  });
  return `${url}/${id}${oauth.authorizePath}?${query}`;
}

export function resourceOf({ resources }: CloudProvider, name: string): Resource {
  return resources.find((one) => one.name === name) ?? raise(`no resource ${name}`);
}

/** Days up to now, in the zone of simulated users. */
export function windowOfDays(now: Date, days: number): FetchWindow {
  const zone = createZone(SIMULATED_ZONE);
  const { date: toDate, end: to } = zone.dayAt(now.getTime());
  const fromDate: LocalDate = addDays(toDate, 1 - days);
  return { from: zone.dayOf(fromDate).start, to, fromDate, toDate };
}

/** The service commits a record with its follow-ups, of which the last one has the whole workout. */
function writtenOnce(parts: readonly ProviderRecords[]): ProviderRecords[] {
  const whole = parts.findLast(({ workouts }) => workouts.length > 0);
  return parts.map((part) => (part === whole ? part : { ...part, workouts: [] }));
}

function demandTokens(answer: TokenSet | TokenRefusal): TokenSet {
  return 'refused' in answer ? raise(`no tokens: ${answer.refused}`) : answer;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' || !response.headers.get('content-type')?.includes('json') ? null : parseJson(text);
}

function raise(message: string): never {
  throw new Error(message);
}
