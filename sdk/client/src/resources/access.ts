import type { CallOptions } from '../caller.ts';
import type { Body, Form } from '../form.ts';
import { randomUuid } from '../web-crypto.ts';
import { Resource } from './resource.ts';

/** Tokens for browsers and phones. Issuing one again is harmless, so these calls are sent again like reads. */
export class Tokens<F extends Form> extends Resource<F> {
  /** For one hour of reads of one user. */
  issueUserToken(userId: string, options?: CallOptions) {
    return this.caller.call('issueUserToken', { body: { user_id: userId }, isIdempotent: true }, options);
  }

  refreshUserToken(userId: string, options?: CallOptions) {
    return this.caller.call('refreshUserToken', { body: { user_id: userId }, isIdempotent: true }, options);
  }

  /** For the start of an SDK session, within five minutes. */
  issueMobileToken(body: Body<F, 'issueMobileToken'>, options?: CallOptions) {
    return this.caller.call('issueMobileToken', { body, isIdempotent: true }, options);
  }

  /** The public keys that sign user tokens. */
  signingKeys(options?: CallOptions) {
    return this.act('listSigningKeys', [], options);
  }
}

export class SdkSessions<F extends Form> extends Resource<F> {
  /** With one `idempotencyKey` a session is created once; by default each call has its own. */
  async create(
    userId: string,
    body: Body<F, 'createSdkSession'>,
    { idempotencyKey, ...options }: CallOptions & { readonly idempotencyKey?: string } = {},
  ) {
    const headers = { 'idempotency-key': idempotencyKey ?? (await randomUuid()) };
    return this.caller.call('createSdkSession', { path: [userId], body, headers, isIdempotent: true }, options);
  }

  list(userId: string, options?: CallOptions) {
    return this.act('listSdkSessions', [userId], options);
  }

  revoke(userId: string, sessionId: string, options?: CallOptions) {
    return this.act('revokeSdkSession', [userId, sessionId], options);
  }
}

/** The calls of a phone. Apps use `@tributary/mobile`, which also queues, batches and rotates tokens. */
export class Sdk<F extends Form> extends Resource<F> {
  /** A token works once, so a lost response needs a new one. */
  exchange(body: Body<F, 'exchangeSdkToken'>, options?: CallOptions) {
    return this.write('exchangeSdkToken', [], body, options);
  }

  /** A replaced refresh token works until its successor is used, so a lost response is repeated safely. */
  refresh(body: Body<F, 'refreshSdkCredentials'>, options?: CallOptions) {
    return this.caller.call('refreshSdkCredentials', { body, isIdempotent: true }, options);
  }

  revoke(options?: CallOptions) {
    return this.caller.call('revokeCurrentSdkSession', { endsCredential: true }, options);
  }

  /** Stored once for each `upload_id`. */
  upload(body: Body<F, 'uploadData'>, options?: CallOptions) {
    return this.caller.call('uploadData', { body, isIdempotent: true }, options);
  }
}

export class Service<F extends Form> extends Resource<F> {
  health(options?: CallOptions) {
    return this.act('readHealth', [], options);
  }

  readiness(options?: CallOptions) {
    return this.act('readReadiness', [], options);
  }

  version(options?: CallOptions) {
    return this.act('readVersion', [], options);
  }
}
