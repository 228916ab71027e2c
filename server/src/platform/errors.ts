// The one error class and the one table of codes. Messages are constant; variable facts go into details.
// A 5xx never tells its cause to the caller.

type CodeEntry = {
  readonly status: number;
  readonly message: string;
  readonly when: string;
  /** As it is sent, where one code has two statuses. */
  readonly code?: string;
};

export const ERROR_CODES = {
  invalid_parameter: {
    status: 400,
    message: 'A parameter is not valid.',
    when: 'a query or path parameter is unknown, missing or malformed; details.issues names each',
  },
  invalid_body: {
    status: 400,
    message: 'The request body is not valid.',
    when: 'broken JSON, a wrong type, an unknown or missing field; details.issues names each',
  },
  invalid_form: {
    status: 400,
    message: 'The Api-Form header must be 1 or 2.',
    when: 'the Api-Form header holds anything else',
  },
  mixed_forms: {
    status: 400,
    message: 'The request mixes parameters of Form 1 and Form 2.',
    when: 'parameters of both forms, or one that contradicts the Api-Form header; details lists each side',
  },
  invalid_metric: {
    status: 400,
    message: 'A metric is not known, or not served here.',
    when: 'details.unsupported names those that are not in the catalog or not kept as samples',
  },
  invalid_range: {
    status: 400,
    message: 'The range of dates is not valid.',
    when: 'from_date lies after to_date, or the range has more than 366 days (details.max_days)',
  },
  range_too_long: {
    status: 400,
    message: 'The range of dates is too long.',
    when: 'more days than details.max_days',
  },
  unknown_provider: {
    status: 400,
    message: 'There is no such provider. GET /v1/providers lists them.',
    when: 'connecting a device; details.provider is the name that was given',
  },
  connects_through_sdk: {
    status: 400,
    message: 'This provider is on the phone: it connects through the Mobile SDK.',
    when: 'connecting an on-device source through the hosted page',
  },
  provider_not_configured: {
    status: 400,
    message: 'Nobody has given credentials for this provider yet.',
    when: 'connecting a provider whose `configured` is false',
  },
  invalid_cursor: {
    status: 400,
    message: 'The cursor is damaged or belongs to another list.',
    when: 'a cursor that this service did not make for this list',
  },
  invalid_idempotency_key: {
    status: 400,
    message: 'The Idempotency-Key header must be a UUID.',
    when: 'the header is missing or no UUID where it is required',
  },
  missing_token: {
    status: 401,
    message: 'The Authorization header is missing. Send "Authorization: Bearer <token>".',
    when: 'no Authorization header',
  },
  invalid_token: {
    status: 401,
    message: 'The token is malformed, unknown or revoked.',
    when: 'a token that names nobody',
  },
  token_expired: {
    status: 401,
    message: 'The token has expired.',
    when: 'an API key after 90 days, a user token or SDK access token after an hour, a mobile token after five minutes',
  },
  payment_required: {
    status: 402,
    message: 'The account cannot do this until its plan is settled.',
    when: 'the account is past due or suspended, or its user limit is reached (details.limit)',
  },
  insufficient_scope: {
    status: 403,
    message: 'This kind of token may not make this call.',
    when: 'for example a user token that tries to create a user',
  },
  sandbox_disabled: {
    status: 403,
    message: 'The sandbox environment is turned off on this deployment. Use a live key.',
    when: 'a sandbox key or a token of a sandbox user where the operator has set TRIBUTARY_SANDBOX=off',
  },
  wrong_user: {
    status: 403,
    message: 'The token was issued for a different user.',
    when: 'a user token on the path of another user',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address.',
    when: 'an unknown route, or a resource that does not exist in the environment of the key',
  },
  workout_not_found: {
    status: 404,
    message: 'There is no such workout of this user.',
    when: 'a workout that is not there, or of another user',
  },
  user_not_found: {
    status: 404,
    message: 'There is no such user in the environment of the key.',
    when: 'consolidation settings of a user that is not there',
  },
  cursor_expired: {
    status: 410,
    message: 'The cursor is too old: events after it have been removed.',
    when: 'events are kept for 90 days; details.oldest_cursor is the place to go on from',
  },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take that method.',
    when: 'the Allow header lists those it takes',
  },
  device_not_syncable: {
    status: 409,
    message: 'This device cannot be asked for data.',
    when: 'it is no device of a cloud, its provider only sends by itself, or it is not active (details.status)',
  },
  device_limit: {
    status: 409,
    message: 'Device limit reached for this user. Disconnect a device first.',
    when: 'connecting a device, or the first upload of a source, beyond details.limit devices that are active or wait to be connected; nothing is stored',
  },
  session_limit: {
    status: 409,
    message: 'SDK session limit reached for this user. Revoke a session first.',
    when: 'a session for another installation beyond details.limit',
  },
  reference_taken: {
    status: 409,
    message: 'Another user of this environment has that reference.',
    when: 'create or update of a user; details.user_id names the holder',
  },
  already_invited: {
    status: 409,
    message: 'An invitation to this address is pending.',
    when: 'an invitation to an address, in any case of letters, that has one; details.invitation_id names it',
  },
  already_member: {
    status: 409,
    message: 'Somebody with this address is a member already.',
    when: 'an invitation to the address of a member, archived or not; details.member_id names the member',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another body.',
    when: 'the same key within 24 hours, with another body',
  },
  upload_conflict: {
    status: 409,
    message: 'This upload_id was used with another body.',
    when: 'an upload_id is repeated with other contents; a new upload takes a new id',
  },
  webhook_disabled: {
    status: 409,
    message: 'The webhook is disabled. Enable it first.',
    when: 'a test or a retry on a webhook that is paused or was disabled; details.disabled_reason says which',
  },
  too_many_webhooks: {
    status: 409,
    message: 'This environment has as many webhooks as it may have.',
    when: 'one more than details.limit',
  },
  master_key_conflict: {
    status: 409,
    message: 'The master key cannot be replaced now.',
    when: 'the new one is known already, another one is still in use (details.in_use), or the service runs with one that was replaced',
  },
  name_taken: { status: 409, message: 'Another account has that name.', when: 'creating an account, or a named key' },
  key_limit: {
    status: 409,
    message: 'API key limit reached for this environment. Revoke a key that is no longer used.',
    when: 'creating a key',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    when: 'headers that take more than 10 seconds, a body more than 15 seconds, or an upload more than 110 seconds',
  },
  payload_too_large: {
    status: 413,
    message: 'The request body is too large.',
    when: 'over details.limit_bytes, or more values or objects than details.limit_values or details.limit_containers',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    when: 'a body of another type',
  },
  header_too_large: { status: 431, message: 'The request headers are too large.', when: 'headers of more than 16 KiB' },
  unknown_consolidation_key: {
    status: 422,
    code: 'invalid_metric',
    message: 'A metric key is not in the consolidation catalog.',
    when: 'details.unsupported names the keys; a metric of a group is set by the key of its group',
  },
  invalid_method: {
    status: 422,
    message: 'A method is not allowed for its metric.',
    when: 'details.issues names each key with the methods it allows',
  },
  invalid_provider: {
    status: 422,
    message: 'A provider is not connected to this user.',
    when: 'details.unsupported names those without an active device',
  },
  invalid_types: {
    status: 422,
    message: 'The list of types is empty or names something that is not served here.',
    when: 'details.unsupported names what is unknown or belongs to another endpoint',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Retry after the time in Retry-After.',
    when: 'the token bucket of the credential or the address is empty, or an address was invited too often (details.invitations_per_day)',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side.',
    when: 'a fault of the service; details.request_id finds it in the log',
  },
  unavailable: {
    status: 503,
    message: 'The service cannot do this at the moment. Retry shortly.',
    when: 'the database is away or full, or the service is stopping; Retry-After says when to try again',
  },
  overloaded: {
    status: 503,
    message: 'The service is busy. Retry after the time in Retry-After.',
    when: "the service, or your account's share of it, is fully used; Retry-After says when to try again",
  },
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
export type ErrorDetails = Record<string, unknown>;
export type Issue = { readonly path: string; readonly message: string };

/** As clients see it. */
export function wireCodeOf(code: ErrorCode): string {
  const entry: CodeEntry = ERROR_CODES[code];
  return entry.code ?? code;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetails; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(options.message ?? ERROR_CODES[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = ERROR_CODES[code].status;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}
