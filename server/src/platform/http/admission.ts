// The door: credential, rate limit, scope and billing, in that order, before a byte of the body is read.
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

export type Door = {
  readonly authenticate: Authenticate;
  readonly limiter: RateLimiter;
  readonly policies: RatePolicies;
};

/** A token in quotes is refused here, so that the message can name the mistake. */
const BEARER = /^Bearer +([^\s,"'<>]+)$/i;

/** Answers at once when the credential is cached and the limiter is in memory; a promise costs a turn of the loop. */
export function admit(
  door: Door,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Caller | Promise<Caller> {
  if (route.access.to === 'probes') return ANONYMOUS;
  if (route.access.to === 'anyone') return limited(door, ANONYMOUS, request, reply);
  const { authorization } = request.headers;
  if (authorization === undefined) return refuse(door, new AppError('missing_token'), request, reply);
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) {
    const message = explainAuthorization(authorization) ?? undefined;
    return refuse(door, new AppError('invalid_token', message === undefined ? {} : { message }), request, reply);
  }
  const counted = { address: false, caller: false };
  const limits = countLookUps(door, counted, request, reply);
  const refused = (error: unknown) => {
    if (counted.address || counted.caller) throw error;
    return refuse(door, error, request, reply);
  };
  let caller: CredentialedCaller | Promise<CredentialedCaller>;
  try {
    caller = door.authenticate(token, limits);
  } catch (error) {
    return refused(error);
  }
  if (!(caller instanceof Promise)) return enter(door, route, caller, request, reply); // its refusals are its own
  return caller.then((resolved) => enter(door, route, resolved, request, reply, counted.caller), refused);
}

/** Nobody makes the database look up more tokens than the limit of their address or of their credential allows. */
function countLookUps(
  door: Door,
  counted: { address: boolean; caller: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
): LookUpLimits {
  const count = (caller: Caller | SignedCaller) => {
    const [bucket, policy] = bucketOf(door, caller, request);
    if (policy) return chain(door.limiter.take(bucket, policy), (decision) => apply(policy, decision, reply));
  };
  return {
    countAddress() {
      counted.address = true;
      return count(ANONYMOUS);
    },
    countCaller(caller) {
      counted.caller = true;
      return count(caller);
    },
  };
}

function enter(
  door: Door,
  route: Route,
  caller: CredentialedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
  isCounted = false,
): Caller | Promise<Caller> {
  // Stands for every answer that ends before the form is chosen: a refusal here, a broken body, a mix of forms.
  if ('defaultForm' in caller)
    reply.header('api-form', String(guessForm(request.headers['api-form'], caller.defaultForm)));
  return chain(isCounted ? caller : limited(door, caller, request, reply), (entered) => {
    requireAccess(route.access, entered, request.params as Record<string, string>);
    return entered;
  });
}

function limited(door: Door, caller: Caller, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
  const [bucket, policy] = bucketOf(door, caller, request);
  if (!policy) return caller;
  return chain(door.limiter.take(bucket, policy), (decision) => {
    apply(policy, decision, reply);
    return caller;
  });
}

function apply(policy: RatePolicy, decision: RateDecision, reply: FastifyReply): void {
  reply.headers(rateHeaders(policy, decision));
  if (!decision.allowed) throw new AppError('rate_limited');
}

/** Of requests that carry no credential. */
export async function admitAddress(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await limited(door, ANONYMOUS, request, reply);
}

/** After a secret was refused: too many of an address, and it is told to wait. A good secret is never held up by others' bad ones. */
export async function countGuess(door: Door, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const decision = await door.limiter.take(guessBucket(request), door.policies.guesses);
  apply(door.policies.guesses, decision, reply);
}

function guessBucket(request: FastifyRequest): string {
  return `guesses:${addressBucket(request.ip)}`;
}

/** Goes on at once where it can: a promise costs a turn of the loop. */
function chain<In, Out>(value: In | Promise<In>, next: (value: In) => Out | Promise<Out>): Out | Promise<Out> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** A call whose credential names nobody is counted by address, so that guessing is slow. */
function refuse(door: Door, error: unknown, request: FastifyRequest, reply: FastifyReply): Caller | Promise<Caller> {
  return chain(limited(door, ANONYMOUS, request, reply), () => {
    throw error;
  });
}

function bucketOf(door: Door, caller: Caller | SignedCaller, request: FastifyRequest): [string, RatePolicy | null] {
  switch (caller.kind) {
    case 'api_key':
      return [`key:${caller.keyId}`, door.policies.api_key];
    case 'user_token':
      return [`user:${caller.userId}`, door.policies.user_token]; // many tokens of one user are one caller
    case 'mobile_token':
      return [`token:${caller.tokenId}`, door.policies.user_token];
    case 'sdk_session':
      return [`session:${caller.sessionId}`, door.policies.sdk_session];
    case 'operator':
      return ['', null]; // loopback, one person: never in the way
    case 'anonymous':
      return [addressBucket(request.ip), door.policies.address];
  }
}
