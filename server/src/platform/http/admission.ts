// Authorization: credential, rate limit, scope and billing, in that order, before a byte of the body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { parseEnvironment } from '../../domain/tenancy.ts';
import { AppError } from '../errors.ts';
import { requireAccess } from './access.ts';
import {
  ANONYMOUS,
  type Authenticate,
  type AuthenticateMember,
  type Caller,
  type CredentialedCaller,
  type LookUpLimits,
  type MemberCaller,
  type SignedCaller,
} from './caller.ts';
import { explainAuthorization } from './explain-authorization.ts';
import { guessForm } from './forms.ts';
import {
  addressBucket,
  type RateDecision,
  type RateLimiter,
  type RatePolicies,
  type RatePolicy,
  rateHeaders,
} from './rate-limit.ts';
import type { Route } from './route.ts';
import { isDashboardPath, readSessionCookie, requireOwnPage, requireShownAccount } from './session-cookie.ts';

export type Auth = {
  readonly authenticate: Authenticate;
  readonly authenticateMember: AuthenticateMember;
  /** The origin of the dashboard's pages. */
  readonly ownOrigin: () => string;
  readonly limiter: RateLimiter;
  readonly policies: RatePolicies;
  /** Called for every request of a valid key, also if it is then rejected. */
  recordKeyUse(keyId: string, userAgent: string | undefined): void;
};

/** Rejects a token in quotes here, so that the message can explain the mistake. */
const BEARER = /^Bearer +([^\s,"'<>]+)$/i;

export async function admit(auth: Auth, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  if (route.access.to === 'probes') return ANONYMOUS;
  if (isDashboardPath(route.path)) requireOwnPage(request, auth.ownOrigin());
  if (route.access.to === 'anyone') {
    await countCall(auth, ANONYMOUS, request, reply);
    return ANONYMOUS;
  }
  const caller =
    route.access.to === 'member' ? await identifyMember(auth, request, reply) : await identify(auth, request, reply);
  requireAccess(route.access, caller, request.params as Record<string, string>);
  if (caller.kind === 'member' && caller.isClosed && isChange(route)) throw new AppError('account_closed');
  return caller;
}

function isChange({ method, access }: Route): boolean {
  return method !== 'GET' && access.to === 'member' && access.role !== 'viewer' && !access.worksWhenClosed;
}

/** A session that is missing, unknown or ended is counted by address, as a wrong credential is. */
async function identifyMember(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<MemberCaller> {
  const { environment = 'live' } = request.params as { environment?: string };
  const parsed = parseEnvironment(environment);
  if (parsed === null) throw new AppError('not_found', { details: { environment } });
  const counting = countOnce(auth, request, reply);
  let caller: MemberCaller;
  try {
    caller = await auth.authenticateMember(readSessionCookie(request), parsed, counting.limits);
  } catch (error) {
    if (counting.counted() === 'nobody') await countCall(auth, ANONYMOUS, request, reply);
    throw error;
  }
  if (counting.counted() !== 'caller') await countCall(auth, caller, request, reply);
  requireShownAccount(request, caller.tenant.accountId);
  return caller;
}

/**
 * Resolves the credential and counts the call against the caller's rate limit. An invalid credential is counted by address, so
 * that guessing is slow. A database look-up of a token is counted before it is made.
 */
async function identify(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<CredentialedCaller> {
  const counting = countOnce(auth, request, reply);
  let caller: CredentialedCaller;
  try {
    caller = await auth.authenticate(readToken(request), counting.limits);
  } catch (error) {
    if (counting.counted() === 'nobody') await countCall(auth, ANONYMOUS, request, reply);
    throw error;
  }
  if (caller.kind === 'api_key') auth.recordKeyUse(caller.keyId, request.headers['user-agent']);
  // Used by error responses before the form is determined: a rejected credential, an invalid body, mixed forms.
  if ('defaultForm' in caller)
    reply.header('api-form', String(guessForm(request.headers['api-form'], caller.defaultForm)));
  if (counting.counted() !== 'caller') await countCall(auth, caller, request, reply);
  return caller;
}

/** The limits of a look-up, and whom it has counted. */
function countOnce(auth: Auth, request: FastifyRequest, reply: FastifyReply) {
  let counted: 'nobody' | 'address' | 'caller' = 'nobody';
  const limits: LookUpLimits = {
    countAddress() {
      counted = 'address';
      return countCall(auth, ANONYMOUS, request, reply);
    },
    countCaller(caller) {
      counted = 'caller';
      return countCall(auth, caller, request, reply);
    },
  };
  return { limits, counted: () => counted };
}

function readToken({ headers }: FastifyRequest): string {
  const { authorization } = headers;
  if (authorization === undefined) throw new AppError('missing_token');
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  const message = explainAuthorization(authorization);
  throw new AppError('invalid_token', message === null ? {} : { message });
}

/** Counts one call against the limit of the caller, or of the address without a caller. Throws rate_limited. */
async function countCall(
  auth: Auth,
  caller: Caller | SignedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [bucket, policy] = bucketOf(auth, caller, request);
  if (policy !== null) requireAllowed(policy, await auth.limiter.take(bucket, policy), reply);
}

function requireAllowed(policy: RatePolicy, decision: RateDecision, reply: FastifyReply): void {
  reply.headers(rateHeaders(policy, decision));
  if (!decision.allowed) throw new AppError('rate_limited');
}

/** For requests without a credential. */
export async function admitAddress(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await countCall(auth, ANONYMOUS, request, reply);
}

/** Call after a wrong secret: limits failures per address. A valid secret is never limited by the failures of others. */
export async function countGuess(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const policy = auth.policies.guesses;
  requireAllowed(policy, await auth.limiter.take(`guesses:${addressBucket(request.clientAddress)}`, policy), reply);
}

function bucketOf(auth: Auth, caller: Caller | SignedCaller, request: FastifyRequest): [string, RatePolicy | null] {
  switch (caller.kind) {
    case 'api_key':
      return [`key:${caller.keyId}`, auth.policies.api_key];
    case 'member':
      return [`member:${caller.memberId}`, auth.policies.api_key];
    case 'user_token':
      return [`user:${caller.userId}`, auth.policies.user_token]; // all tokens of a user count as one caller
    case 'mobile_token':
      return [`token:${caller.tokenId}`, auth.policies.user_token];
    case 'sdk_session':
      return [`session:${caller.sessionId}`, auth.policies.sdk_session];
    case 'operator':
      return ['', null]; // local and used by one operator: generous
    case 'anonymous':
      return [addressBucket(request.clientAddress), auth.policies.address];
  }
}
