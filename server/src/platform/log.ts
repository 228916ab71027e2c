// Structured logs on standard error; standard output is for readable output and --json.
// Logs must never contain tokens or health values: requests are logged by route pattern, never by URL or body.
import pino from 'pino';

export type Logger = pino.Logger;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MAX_UNWRITTEN = 1_048_576; // characters that wait for space on the disk; further lines are dropped
const SECRET_PATHS = ['authorization', '*.authorization', 'headers.authorization', 'token', '*.token', 'key', '*.key'];

/** Matches our tokens (prefix and random letters) and webhook signing secrets in any text. */
const TOKEN_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z]{2,8}_(?:[a-z]{2,10}_)?)[0-9A-Za-z]{40,}/g, '$1[redacted]'],
  [/\bwhsec_[\w+/=-]{16,}/g, 'whsec_[redacted]'],
];
/** What can contain a JWT. A pattern of the whole JWT would take quadratic time for a text that begins one again and again. */
const DOTTED_TEXT = /(?<![\w.-])[\w.-]+/g;
const JWT_START = /\beyJ[\w-]{10}/;
const JWT_PARTS = 3;

/** `redactUrls` removes secrets from URLs in the whole line. */
export function createLogger(
  level: LogLevel,
  destination: pino.DestinationStream = openStandardError(),
  redactUrls: (text: string) => string = (text) => text,
): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    serializers: { err: describeError },
  };
  return pino(options, { write: (line) => destination.write(redactTokens(redactUrls(line))) });
}

/** A line that cannot be written, for example to a full disk, must not fail the work that it is about. */
function openStandardError(): pino.DestinationStream {
  const stream = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN });
  stream.on('error', () => undefined);
  return stream;
}

function redactTokens(line: string): string {
  const text = TOKEN_SHAPES.reduce((before, [shape, shown]) => before.replace(shape, shown), line);
  return text.includes('eyJ') ? text.replace(DOTTED_TEXT, redactJwt) : text;
}

function redactJwt(text: string): string {
  const at = text.search(JWT_START);
  return at < 0 || text.slice(at).split('.').length < JWT_PARTS ? text : `${text.slice(0, at)}[redacted]`;
}

/** Logs only these fields: PostgreSQL's `detail` and `where` quote the row, and its messages of class 22 quote the value. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table, routine } = error as Error & Record<string, unknown>;
  const isDataException = typeof code === 'string' && code.startsWith('22') && routine !== undefined;
  const message = isDataException ? error.message.replace(/".*"/s, '"…"') : error.message;
  const stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  return {
    type: error.name,
    message,
    code,
    constraint,
    table,
    stack,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}
