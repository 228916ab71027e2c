// Structured logs on standard error; standard output belongs to people and to --json.
// Nothing here may carry a token or a health value: requests are logged by route pattern, never by URL or body.
import pino from 'pino';

export type Logger = pino.Logger;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SECRET_PATHS = ['authorization', '*.authorization', 'headers.authorization', 'token', '*.token', 'key', '*.key'];

export function createLogger(level: LogLevel, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options, pino.destination({ fd: 2, sync: true }));
}
