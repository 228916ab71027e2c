// The services that operations and jobs use, created once in compose.ts. These are interfaces, because src/services.ts adds the
// services of the features.
import type { Form } from '../domain/tenancy.ts';
import type { Clock } from './clock.ts';
import type { CredentialVersion } from './credential-version.ts';
import type { DerivedSecrets } from './crypto/derived-secret.ts';
import type { SecretEnvelope } from './crypto/secret-envelope.ts';
import type { ConnectionShares } from './db/account-database.ts';
import type { CitusNodes } from './db/citus-nodes.ts';
import type { Database } from './db/database.ts';
import type { FairShares } from './fair-shares.ts';
import type { CursorCodec } from './http/cursor.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { KeyKeeper } from './keyring/index.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics.ts';
import type { Outbound } from './outbound/index.ts';
import type { OwnCalls } from './own-calls.ts';
import type { RateLimits } from './rate-limits/index.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import type { TokenSigner } from './token-signer.ts';
import type { Tombstones } from './tombstones.ts';
import type { Tracer } from './tracing/index.ts';

export interface Services {
  readonly db: Database;
  readonly nodes: CitusNodes;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly log: Logger;
  readonly cursors: CursorCodec;
  readonly secrets: SecretEnvelope;
  readonly keyKeeper: KeyKeeper;
  readonly derivedSecrets: DerivedSecrets;
  /** What a restore must erase again. */
  readonly tombstones: Tombstones;
  readonly signer: TokenSigner;
  readonly credentialVersion: CredentialVersion;
  readonly metrics: Metrics;
  /** Null: no collector of traces is configured. */
  readonly tracer: Tracer | null;
  /** For work that would block the event loop. */
  readonly threads: ThreadPool;
  readonly shares: Shares;
  readonly rateLimits: RateLimits;
  readonly outbound: Outbound;
  /** Only for calls of this process to itself. */
  readonly ownOutbound: Outbound;
  /** Recognizes requests of this process to itself. */
  readonly ownCalls: OwnCalls;
  /** Null: no mail server is configured, and links are printed instead. */
  readonly mailer: Mailer | null;
  /** Prints a line on standard output, which unlike the log may contain secret links. */
  readonly print: (line: string) => void;
  readonly settings: Settings;
  /** The OpenAPI document, generated from the route table: of both forms, or of one. */
  readonly openapi: (form?: Form) => object;
}

/** Fair shares of scarce resources between accounts. */
export interface Shares extends ConnectionShares {
  /** Long computations. */
  readonly computation: FairShares;
  readonly large_read: FairShares;
}

export interface Settings {
  readonly version: string;
  /** How people call this program. */
  readonly commandName: string;
  /** New at every start. */
  readonly processId: string;
  /** False until the service has started and its banner was printed. */
  isUp(): boolean;
  /** Number of migrations in this version. */
  readonly schemaVersion: number;
  /** A function, because with PORT=0 the URL is known only after the port is bound. */
  publicUrl(): string;
  /** URL for calls of this process to itself. */
  ownUrl(): string;
}
