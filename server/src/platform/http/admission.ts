// Authorization: credential, rate limit, scope and billing, in that order, before a byte of the body is read.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { requireAccess } from './access.ts';
import {
  ANONYMOUS,
  type Authenticate,
  type Caller,
  type CredentialedCaller,
  type LookUpLimits,
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

export type Auth = {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly policies: RatePolicies;
};

/** A token in quotes is refused here, so that the message can name the mistake. */
const BEARER = /^Bearer +([^\s,"'<>]+)$/i;

export async function admit(auth: Auth, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  if (route.access.to === 'probes') return ANONYMOUS;
  if (route.access.to === 'anyone') {
    await countCall(auth, ANONYMOUS, request, reply);
    return ANONYMOUS;
  }
  const caller = await identify(auth, request, reply);
  requireAccess(route.access, caller, request.params as Record<string, string>);
  return caller;
}

/**
 * Whom the credential names, counted against the limit of that caller. A call whose credential names nobody is counted by
 * address instead, so that guessing is slow; and before the database looks up a token, the look-up is counted too.
 */
async function identify(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<CredentialedCaller> {
  const counted = { address: false, caller: false };
  const limits: LookUpLimits = {
    async countAddress() {
      counted.address = true;
      await countCall(auth, ANONYMOUS, request, reply);
    },
    async countCaller(caller) {
      counted.caller = true;
      await countCall(auth, caller, request, reply);
    },
  };
  let caller: CredentialedCaller;
  try {
    caller = await auth.authenticate(readToken(request), limits);
  } catch (error) {
    if (!counted.address && !counted.caller) await countCall(auth, ANONYMOUS, request, reply);
    throw error;
  }
  // Stands for every answer that ends before the form is chosen: a refusal here, a broken body, a mix of forms.
  if ('defaultForm' in caller)
    reply.header('api-form', String(guessForm(request.headers['api-form'], caller.defaultForm)));
  if (!counted.caller) await countCall(auth, caller, request, reply);
  return caller;
}

function readToken({ headers }: FastifyRequest): string {
  const { authorization } = headers;
  if (authorization === undefined) throw new AppError('missing_token');
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  const message = explainAuthorization(authorization);
  throw new AppError('invalid_token', message === null ? {} : { message });
}

/** Takes one call from the limit of the caller, or of the address where there is none. Throws rate_limited. */
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

/** Of requests that carry no credential. */
export async function admitAddress(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await countCall(auth, ANONYMOUS, request, reply);
}

/** After a secret was refused: too many of an address, and it has to wait. A good secret is never held up by others' bad ones. */
export async function countGuess(auth: Auth, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const policy = auth.policies.guesses;
  requireAllowed(policy, await auth.limiter.take(`guesses:${addressBucket(request.ip)}`, policy), reply);
}

function bucketOf(auth: Auth, caller: Caller | SignedCaller, request: FastifyRequest): [string, RatePolicy | null] {
  switch (caller.kind) {
    case 'api_key':
      return [`key:${caller.keyId}`, auth.policies.api_key];
    case 'user_token':
      return [`user:${caller.userId}`, auth.policies.user_token]; // many tokens of one user are one caller
    case 'mobile_token':
      return [`token:${caller.tokenId}`, auth.policies.user_token];
    case 'sdk_session':
      return [`session:${caller.sessionId}`, auth.policies.sdk_session];
    case 'operator':
      return ['', null]; // loopback, one person: never in the way
    case 'anonymous':
      return [addressBucket(request.ip), auth.policies.address];
  }
}
