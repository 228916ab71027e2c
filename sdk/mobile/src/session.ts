// The credentials of the installation. The rule that everything depends on: new credentials are stored before they are first used,
// because their first use ends the previous refresh token.
import { ABORTED, unlessAborted } from './abort.ts';
import { type Answer, type Http, jsonRequest, request } from './http.ts';
import { readJson, type Storage } from './storage.ts';

export type Credentials = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** By the phone's clock. */
  readonly obtainedAtMs: number;
};

export type SessionProblem =
  | { readonly kind: 'transient'; readonly reason: string; readonly retryAfterMs: number | null }
  /** There is no session, and no token to start one. */
  | { readonly kind: 'signed_out'; readonly reason: string }
  /** The token belongs to another person than the stored data. */
  | { readonly kind: 'other_user' }
  /** The service refuses this account, and nothing on the phone can change that: `account_closed`, `sandbox_disabled`, `session_limit`. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };

export type AccessResult = { readonly accessToken: string } | SessionProblem;

export type SessionOptions = {
  readonly baseUrl: string;
  readonly storage: Storage;
  readonly http: Http;
  readonly prefix: string;
  readonly platform: 'ios' | 'android';
  /** A new client or mobile token from the app's backend, or null. Each token works once. */
  getToken(): Promise<string | null>;
  newId(): string;
};

/** An access token lives 60 minutes. Only to avoid a request that would fail: with a wrong clock the 401 decides. */
const REFRESH_AFTER_MS = 59 * 60_000;

export type Session = {
  /** A valid access token. `rejected` is one that the service has just refused. */
  access(signal: AbortSignal, rejected?: string): Promise<AccessResult>;
  /** Ends the session at the service if it can be reached. Stored data stays. */
  revoke(): Promise<void>;
};

export function createSession(options: SessionOptions): Session {
  const { storage, http, prefix } = options;
  const key = `${prefix}session`;
  let inFlight: Promise<AccessResult> | null = null;

  const read = () => readJson<Credentials>(storage, key);

  async function renew(signal: AbortSignal, rejected: string | undefined): Promise<AccessResult> {
    const held = await read();
    if (held === null) return start(null, signal);
    if (!needsRefresh(held, rejected, http.now())) return { accessToken: held.accessToken };
    const answer = await send('refresh', { refresh_token: held.refreshToken }, signal);
    if (answer.kind === 'refused' && answer.status === 401) return start(held, signal);
    return keep(answer, held);
  }

  /** `held` stays stored until a token is exchanged, so that its user is known. */
  async function start(held: Credentials | null, signal: AbortSignal): Promise<AccessResult> {
    let token: string | null | typeof ABORTED;
    try {
      token = await unlessAborted(options.getToken(), signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'getToken failed';
      return { kind: 'transient', reason, retryAfterMs: null };
    }
    if (token === ABORTED) return { kind: 'transient', reason: 'aborted', retryAfterMs: null };
    if (token === null) return { kind: 'signed_out', reason: held === null ? 'no session' : 'session ended' };
    const body = {
      client_token: token,
      installation_id: await installationId(options),
      platform: options.platform,
    };
    const answer = await send('exchange', body, signal);
    if (answer.kind === 'refused' && answer.status === 401) return { kind: 'signed_out', reason: answer.code };
    return keep(answer, held);
  }

  async function keep(answer: Answer, held: Credentials | null): Promise<AccessResult> {
    if (answer.kind === 'transient') return answer;
    if (answer.kind === 'refused') return { kind: 'refused', code: answer.code, message: answer.message };
    const credentials = parseCredentials(answer.body, http.now());
    if (credentials === null) return { kind: 'transient', reason: 'unreadable credentials', retryAfterMs: null };
    if (held !== null && held.userId !== credentials.userId) return { kind: 'other_user' };
    await storage.set(key, JSON.stringify(credentials));
    return { accessToken: credentials.accessToken };
  }

  /** If it is aborted, its answer counts as lost: the next exchange or refresh continues. */
  function send(call: 'exchange' | 'refresh', body: object, signal?: AbortSignal): Promise<Answer> {
    return request(http, `${options.baseUrl}/v1/sdk/sessions/${call}`, jsonRequest(body), signal);
  }

  /** Does not call `getToken`: a session that has ended needs no end. */
  async function revoke(): Promise<void> {
    const held = await read();
    if (held === null) return;
    const answer = await end(held.accessToken);
    if (answer.kind !== 'refused' || answer.status !== 401) return;
    const renewed = await keep(await send('refresh', { refresh_token: held.refreshToken }), held);
    if ('accessToken' in renewed) await end(renewed.accessToken);
  }

  function end(accessToken: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return request(http, `${options.baseUrl}/v1/sdk/sessions/current`, { method: 'DELETE', headers });
  }

  return {
    revoke,
    access(signal, rejected) {
      inFlight ??= renew(signal, rejected).finally(() => {
        inFlight = null;
      });
      return inFlight;
    },
  };
}

function needsRefresh(held: Credentials, rejected: string | undefined, nowMs: number): boolean {
  if (rejected !== undefined) return held.accessToken === rejected;
  return nowMs - held.obtainedAtMs > REFRESH_AFTER_MS;
}

export async function installationId({
  storage,
  prefix,
  newId,
}: Pick<SessionOptions, 'storage' | 'prefix' | 'newId'>): Promise<string> {
  const stored = await storage.get(`${prefix}installation`);
  if (stored !== null) return stored;
  const made = newId();
  await storage.set(`${prefix}installation`, made);
  return made;
}

function parseCredentials(body: Record<string, unknown>, nowMs: number): Credentials | null {
  const { access_token, refresh_token, session_id, user_id, scopes } = body;
  const texts = [access_token, refresh_token, session_id, user_id];
  if (!texts.every((text) => typeof text === 'string' && text !== '')) return null;
  return {
    accessToken: access_token as string,
    refreshToken: refresh_token as string,
    sessionId: session_id as string,
    userId: user_id as string,
    scopes: Array.isArray(scopes) ? (scopes as string[]) : [],
    obtainedAtMs: nowMs,
  };
}
