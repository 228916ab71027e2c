// Stub providers for connecting accounts: they consent at once, check what a real one checks, and record requests.
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Ending } from './ending.ts';
import { KEPT_OPEN } from './kept-open.ts';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.ts';

type StubCall = {
  readonly method: string;
  /** Begins with the provider's id. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
};
type StubAnswer = {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};

type StubProvider = {
  readonly calls: StubCall[];
  /** The account of the next user who consents; null: a new one each time. */
  account: string | null;
  at(path: string): StubCall[];
  /** From now on, for that path; null restores the default. */
  answer(path: string, answering: ((call: StubCall) => StubAnswer | Promise<StubAnswer>) | null): void;
  /** From now on data requests wait for their response; connecting continues to work. */
  holdData(): void;
  release(): void;
  /** A code that this provider gave to another user. */
  plantCode(issued: Partial<AuthorizationCode>): string;
  /** Clears consents, recorded requests and held requests; set responses stay. */
  forget(): void;
  close(): Promise<void>;
};

type AuthorizationCode = {
  readonly account: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly scope: string;
};

const AUTHORIZE =
  /\/(oauth\/authorize|oauth\/oauth2\/auth|oauth2_user\/authorize2|oauth2Confirm|oauth2\/authorization|o\/oauth2\/v2\/auth|v3\/oauth2\/login|authorise|oauth2\/authorize)$/;
const TOKEN =
  /\/(oauth\/token|oauth\/oauth2\/token|v2\/oauth2|di-oauth2-service\/oauth\/token|v2\/oauth2\/token|google_health\/token|v3\/oauth2\/token|oauth\/access_token|oauth2\/accesstoken)$/;
/** Requests for the account's identity before a connection exists. */
const ACCOUNT =
  /\/(personal_info|profile\/basic|rest\/user\/\w+|v3\/users|me\/identity|v2\/signature|dataRange|v1\/user|users\/me|user_info)$/;
/** Their lists are not inside an object. */
const HAVE_BARE_LISTS = /^\/(polar|strava)\/|^\/suunto\/247samples\//;
/** An empty data response that every connector can read. */
const NOTHING = {
  data: [],
  records: [],
  dataPoints: [],
  payload: [],
  workouts: [],
  result: '0000',
  status: 0,
  body: { series: [], activities: [], measuregrps: [] },
};

/** The service with the stub instead of its simulator. */
export async function startStubbedService(
  t: Ending,
  options: TestServiceOptions = {},
): Promise<{ service: TestService; stub: StubProvider }> {
  const environment = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1', ...options.environment };
  const service = await startTestService({ ...options, environment });
  const stub = await startStubProvider(service);
  t.after(async () => {
    await service.stop();
    await stub.close();
  });
  return { service, stub };
}

async function startStubProvider(service: TestService): Promise<StubProvider> {
  const calls: StubCall[] = [];
  const answers = new Map<string, (call: StubCall) => StubAnswer | Promise<StubAnswer>>();
  const codes = new Map<string, AuthorizationCode>();
  const stub = { account: null as string | null };
  let held: PromiseWithResolvers<void> | null = null;

  function answer(call: StubCall): StubAnswer | Promise<StubAnswer> {
    const own = answers.get(call.path);
    if (own) return own(call);
    if (AUTHORIZE.test(call.path)) return agree(call);
    if (TOKEN.test(call.path) && call.form.get('action') !== 'revoke') return exchange(call);
    return ACCOUNT.test(call.path) ? respondWithAccount(call) : respondWithNothing(call);
  }

  function agree({ query }: StubCall): StubAnswer {
    const redirectUri = query.get('redirect_uri') ?? '';
    const account = stub.account ?? String(BigInt(`0x${randomUUID().slice(0, 8)}`));
    const scope = query.get('scope') ?? '';
    const code = plantCode({ account, redirectUri, challenge: query.get('code_challenge'), scope });
    const back = new URLSearchParams({ code, state: query.get('state') ?? '' });
    return { status: 302, headers: { location: `${redirectUri}?${back}` } };
  }

  function plantCode({
    account = 'planted',
    redirectUri = '',
    challenge = null,
    scope = '',
  }: Partial<AuthorizationCode>): string {
    const code = `code-${randomUUID()}`;
    codes.set(code, { account, redirectUri, challenge, scope });
    return code;
  }

  function exchange({ path, form }: StubCall): StubAnswer {
    if (form.get('grant_type') === 'refresh_token') return { status: 200, body: giveTokens('refreshed', '') };
    const code = form.get('code') ?? '';
    const issued = codes.get(code);
    codes.delete(code);
    if (!issued || issued.redirectUri !== form.get('redirect_uri') || !isVerified(issued, form.get('code_verifier')))
      return { status: 400, body: { error: 'invalid_grant' } };
    const tokens = giveTokens(issued.account, issued.scope);
    if (path.startsWith('/withings'))
      return { status: 200, body: { status: 0, body: { ...tokens, userid: issued.account } } };
    const { account } = issued;
    return {
      status: 200,
      body: { ...tokens, x_user_id: account, user: account, openId: account, athlete: { id: account } },
    };
  }

  const server = createServer(KEPT_OPEN, (request, response) => {
    read(request)
      .then(async (call) => {
        calls.push(call);
        if (![AUTHORIZE, TOKEN, ACCOUNT].some((connecting) => connecting.test(call.path))) await held?.promise;
        reply(response, await answer(call));
      })
      .catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  Object.assign(service.running.services.settings, { simulator: () => ({ pages: url, api: url }) });

  const release = () => {
    held?.resolve();
    held = null;
  };
  return Object.assign(stub, {
    calls,
    plantCode,
    holdData: () => {
      held ??= Promise.withResolvers<void>();
    },
    release,
    at: (path: string) => calls.filter((call) => call.path === path),
    answer: (path: string, answering: ((call: StubCall) => StubAnswer | Promise<StubAnswer>) | null) => {
      if (answering === null) answers.delete(path);
      else answers.set(path, answering);
    },
    forget() {
      release();
      stub.account = null;
      calls.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

function giveTokens(account: string, scope: string) {
  return {
    access_token: `at.${account}.${randomUUID()}`,
    refresh_token: `rt.${account}.${randomUUID()}`,
    expires_in: 3_600,
    scope,
  };
}

function isVerified({ challenge }: AuthorizationCode, verifier: string | null): boolean {
  if (challenge === null) return true;
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}

/** Each provider has its own request for the account's identity. */
function respondWithAccount({ headers }: StubCall): StubAnswer {
  const account = /^Bearer at\.([^.]+)\./.exec(headers.authorization ?? '')?.[1];
  if (account === undefined) return { status: 200, body: {} };
  const body = {
    id: account,
    user_id: account,
    userId: account,
    data: { id: account },
    healthUserId: account,
    'polar-user-id': account,
    permissions: ['HEALTH_EXPORT'],
  };
  return { status: 200, body };
}

function respondWithNothing({ path }: StubCall): StubAnswer {
  if (path.startsWith('/ultrahuman/')) return { status: 404 }; // a day without data
  return { status: 200, body: HAVE_BARE_LISTS.test(path) ? [] : NOTHING };
}

async function read(request: IncomingMessage): Promise<StubCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  return { method: request.method ?? '', path: pathname, query: searchParams, headers: request.headers, form };
}

function reply(response: ServerResponse, { status, body, headers = {} }: StubAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
