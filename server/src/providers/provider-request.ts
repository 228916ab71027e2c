// Requests to a provider and what it answers: the part of the contract that its other parts are made of.
import type { ProviderClient } from '../domain/provider-ids.ts';

/** In the sandbox the simulator replaces all of them. */
export type ProviderOrigins = {
  readonly authorize: string;
  readonly token: string;
  readonly api: string;
  /** Of the public keys that verify its webhooks. */
  readonly keys?: string;
  /** Of recordings (FIT files) that it keeps elsewhere. */
  readonly files?: string;
};

/** Relative to an origin: a connector never writes a host into a request. */
export type ProviderRequest = {
  readonly origin: keyof ProviderOrigins;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The response is a file, such as a FIT recording. Absent: JSON. */
  readonly accepts?: 'file';
  /** Who sends the request: the user (access token) or the application (client credentials). */
  readonly as: 'person' | 'application' | 'nobody';
};

export type ProviderAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Integers beyond 2^53 are strings. Null: no JSON. The bytes (Uint8Array) if the request accepts a file. */
  readonly body: unknown;
};

/** With everything in `extras` that the provider issues besides id and secret. */
export type ClientCredentials = ProviderClient;

export type ProviderAccount = {
  readonly providerUserId: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The account keeps routes and laps of workouts. Absent: positions are not requested. */
  readonly keepsRoutes?: boolean;
};

/** `unauthorized`: the token was rejected; `forbidden`: consent, scope or membership is missing. */
export type ProviderFailure = 'unauthorized' | 'forbidden' | 'rate_limited' | 'unavailable' | 'bad_request';
