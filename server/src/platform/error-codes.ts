// The table of error codes. Messages are constant, values go into details, and a 5xx never reveals its cause.

import { CONFLICT_CODES } from './conflict-codes.ts';

type CodeEntry = {
  readonly status: number;
  readonly message: string;
  readonly when: string;
  /** The code that clients receive, where one code has two statuses. */
  readonly code?: string;
};

export const ERROR_CODES = {
  invalid_parameter: {
    status: 400,
    message: 'A parameter is invalid. See details.issues.',
    when: 'a query or path parameter is unknown, missing or malformed; details.issues lists each one',
  },
  invalid_body: {
    status: 400,
    message: 'The request body is invalid. See details.issues.',
    when: 'the body is not valid JSON, or a field is unknown, missing or of the wrong type; details.issues lists each one',
  },
  invalid_form: {
    status: 400,
    message: 'The Api-Form header must be 1 or 2.',
    when: 'the Api-Form header is neither 1 nor 2',
  },
  mixed_forms: {
    status: 400,
    message: 'The request mixes parameters of Form 1 and Form 2. Use the names of one form; details lists them.',
    when: 'the request has parameters of both forms, or of a form other than that in the Api-Form header; details.form_1 and details.form_2 list them',
  },
  invalid_metric: {
    status: 400,
    message: 'A metric is unknown or not available on this endpoint. See details.unsupported.',
    when: 'a metric is not in the catalog or not available on this endpoint (timeseries: its `timeseries` in the catalog is `no`); details.unsupported lists them',
  },
  invalid_range: {
    status: 400,
    message: 'from_date must not be after to_date, and the range can have at most 366 days.',
    when: 'from_date is after to_date, or the range is longer than 366 days (details.max_days)',
  },
  range_too_long: {
    status: 400,
    message: 'The date range is too long. The maximum is details.max_days.',
    when: 'the range from start_date to end_date is longer than details.max_days',
  },
  unknown_provider: {
    status: 400,
    message: 'Unknown provider. GET /v1/providers lists all providers.',
    when: 'connecting a device of a provider that does not exist (details.provider)',
  },
  connects_through_sdk: {
    status: 400,
    message: 'This provider runs on the phone. Connect it through the Mobile SDK.',
    when: 'connecting an on-device provider through the hosted page',
  },
  provider_not_configured: {
    status: 400,
    message: 'This provider has no credentials yet. Add them before connecting.',
    when: 'connecting a provider whose `configured` is false',
  },
  invalid_cursor: {
    status: 400,
    message:
      'The cursor is malformed, or belongs to another list or date range. Send it unchanged, with the same dates and filters.',
    when: 'the cursor was not returned by this service for this list',
  },
  invalid_idempotency_key: {
    status: 400,
    message: 'Send an Idempotency-Key header with a UUID.',
    when: 'the header is required, and it is missing or not a UUID',
  },
  missing_token: {
    status: 401,
    message: 'The Authorization header is missing. Send "Authorization: Bearer <token>".',
    when: 'the request has no Authorization header',
  },
  invalid_token: {
    status: 401,
    message: 'The token is malformed, unknown or revoked. Check it, or create a new one.',
    when: 'the token is malformed, unknown or revoked',
  },
  token_expired: {
    status: 401,
    message: 'The token has expired. Create a new one.',
    when: 'API keys expire after 90 days, user tokens and SDK access tokens after an hour, mobile tokens after five minutes',
  },
  invalid_credentials: {
    status: 401,
    message: 'The email, the password or the code is not correct.',
    when: 'the email, password or code is wrong, when you sign in to the dashboard or enter the password again',
  },
  code_required: {
    status: 401,
    message: 'Enter a code from your authenticator app, or a recovery code.',
    when: 'the password is correct, and the member uses an authenticator app',
  },
  payment_required: {
    status: 402,
    message: 'The account is past due, suspended or at its user limit. Contact the operator of the service.',
    when: 'the account is past due or suspended, or its user limit is reached (details.limit)',
  },
  insufficient_scope: {
    status: 403,
    message:
      'This kind of token is not allowed to make this call. The API reference lists the credentials of each call.',
    when: 'the kind of credential is not allowed to make this call, for example a user token that creates a user',
  },
  insufficient_role: {
    status: 403,
    message: 'Your role in this account does not allow this. An owner can change it.',
    when: 'the member has a lower role than details.needs',
  },
  confirmation_required: {
    status: 403,
    message: 'Enter your password again to do this.',
    when: 'the call is dangerous and the password was last entered more than ten minutes ago',
  },
  foreign_page: {
    status: 403,
    message: 'This call was not made by the dashboard of this service. Open the dashboard at its public URL.',
    when: 'a call that changes something comes from a page of another origin, or without the header X-Tributary: dashboard',
  },
  sandbox_disabled: {
    status: 403,
    message: 'The sandbox environment is turned off on this deployment. Use a live key.',
    when: 'a sandbox key or the token of a sandbox user is used, and the operator has set TRIBUTARY_SANDBOX=off',
  },
  account_closed: {
    status: 403,
    message: 'This account is closed. An owner can reopen it in the dashboard.',
    when: 'a key, token or SDK session of an account that was closed or deleted (details.closed_at)',
  },
  shared_simulator: {
    status: 403,
    message:
      'Several accounts share the simulated providers of this deployment, so only an operator can change their faults.',
    when: 'the dashboard adds or removes a fault of a simulated provider, and the deployment has other accounts',
  },
  wrong_user: {
    status: 403,
    message: 'The token was issued for a different user. Request a token for this user.',
    when: 'a user token is used on the path of another user',
  },
  not_found: {
    status: 404,
    message: 'Not found. Check the path and the ID.',
    when: "the path is unknown, or the resource does not exist in the key's environment",
  },
  workout_not_found: {
    status: 404,
    message: 'The user has no workout with this ID.',
    when: 'the workout does not exist or belongs to another user',
  },
  user_not_found: {
    status: 404,
    message: "The user does not exist in the key's environment.",
    when: 'reading or changing consolidation settings of a user that does not exist',
  },
  link_invalid: {
    status: 410,
    message: 'This link is no longer valid. Ask for a new one.',
    when: 'a one-time link of the dashboard has expired, was used or was replaced',
  },
  cursor_expired: {
    status: 410,
    message: 'The cursor has expired. Continue from details.oldest_cursor.',
    when: 'events after the cursor have been removed, as events are kept for 90 days; continue from details.oldest_cursor',
  },
  method_not_allowed: {
    status: 405,
    message: 'Method not allowed. The Allow header lists the methods of this path.',
    when: 'the path does not support the method; the Allow header lists those it supports',
  },
  ...CONFLICT_CODES,
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time. Send it again.',
    when: 'the headers take more than 10 seconds, the body more than 15 seconds, or an upload more than 110 seconds',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is too large. Send less in one request.',
    when: 'the body is larger than details.limit_bytes, or has more values or objects than details.limit_values or details.limit_containers',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    when: 'the body is not application/json, or has a Content-Encoding that the call does not accept',
  },
  header_too_large: {
    status: 431,
    message: 'The request headers are too large. Send at most 16 KiB.',
    when: 'the headers are larger than 16 KiB',
  },
  unknown_consolidation_key: {
    status: 422,
    code: 'invalid_metric',
    message: 'A metric key is not in the consolidation catalog. See details.unsupported.',
    when: 'a key of a consolidation setting is unknown (details.unsupported); a metric that belongs to a group is set by the key of its group',
  },
  invalid_method: {
    status: 422,
    message: 'A method is not allowed for its metric. See details.issues.',
    when: 'a consolidation method is not allowed for its metric; details.issues lists each key with its allowed methods',
  },
  invalid_provider: {
    status: 422,
    message: 'A provider is not connected for this user. See details.unsupported.',
    when: 'a consolidation setting names a provider for which the user has no active device (details.unsupported)',
  },
  invalid_types: {
    status: 422,
    message: 'The list of types is empty or has a type that this endpoint does not serve. See details.unsupported.',
    when: 'the list of `types` is empty, or a type is unknown or belongs to another endpoint (details.unsupported)',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Retry after the time in Retry-After.',
    when: 'the credential or the network address has reached its rate limit, or an email address was invited too often (details.invitations_per_day)',
  },
  internal: {
    status: 500,
    message: 'Internal error. Report it with details.request_id.',
    when: 'the service failed unexpectedly; search its log for details.request_id',
  },
  storage_full: {
    status: 507,
    message: 'The service has too little disk space for this file. Ask the operator to free some.',
    when: 'uploading a file that would leave less than 2 GiB for the database',
  },
  unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Retry shortly.',
    when: 'the database is unreachable or full, or the service is stopping; Retry-After says when to retry',
  },
  overloaded: {
    status: 503,
    message: 'The service is busy. Retry after the time in Retry-After.',
    when: "the service, or your account's share of it, is at capacity; Retry-After says when to retry",
  },
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The code that clients receive. */
export function wireCodeOf(code: ErrorCode): string {
  return (ERROR_CODES[code] as CodeEntry).code ?? code;
}

/** Of the code that clients receive, which can have two statuses. Null: there is no such code. */
export function explainError(wireCode: string, status: number): Pick<CodeEntry, 'message' | 'when'> | null {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  const code = known.find((one) => wireCodeOf(one) === wireCode && ERROR_CODES[one].status === status);
  return code === undefined ? null : { message: ERROR_CODES[code].message, when: ERROR_CODES[code].when };
}
