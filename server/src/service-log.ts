// The logger of the service, which redacts secrets in the URLs of its routes.
import { createUrlRedactor } from './platform/http/redact-urls.ts';
import { createLogger, type Logger, type LogLevel } from './platform/log.ts';
import { publicRawRoutes } from './routes.ts';

export function createServiceLogger(level: LogLevel, destination?: { write(line: string): void }): Logger {
  return createLogger(level, destination, createUrlRedactor(publicRawRoutes));
}
