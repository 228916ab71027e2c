// The services that operations and jobs use, created once in compose.ts.
import type { ActiveFault, Fault } from '../domain/sandbox/simulated-faults.ts';
import type { Form } from '../domain/tenancy.ts';
import type { Clock } from './clock.ts';
import type { CredentialVersion } from './credential-version.ts';
import type { DerivedSecrets } from './crypto/derived-secret.ts';
import type { DatedTokens, DerivedTokens } from './crypto/derived-token.ts';
import type { SecretEnvelope } from './crypto/secret-envelope.ts';
import type { ConnectionShares } from './db/account-database.ts';
import type { Database } from './db/database.ts';
import type { FairShares } from './fair-shares.ts';
import type { CursorCodec } from './http/cursor.ts';
import type { RawReply, RawRequest } from './http/raw-exchange.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import type { KeyKeeper } from './keyring/index.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Metrics } from './metrics.ts';
import type { Outbound } from './outbound/index.ts';
import type { OwnCalls } from './own-calls.ts';
import type { ThreadPool } from './threads/thread-pool.ts';
import type { TokenSigner } from './token-signer.ts';

export type Services = {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly log: Logger;
  readonly cursors: CursorCodec;
  readonly secrets: SecretEnvelope;
  readonly keyKeeper: KeyKeeper;
  readonly sdkTokens: DerivedTokens;
  readonly derivedSecrets: DerivedSecrets;
  /** Tokens of links that are sent by mail. */
  readonly linkTokens: DerivedTokens;
  /** Tokens of privacy portal links, which expire and can be replaced. */
  readonly portalTokens: DatedTokens;
  readonly signer: TokenSigner;
  readonly credentialVersion: CredentialVersion;
  readonly metrics: Metrics;
  /** Changes of one user's data run one after the other and hold no connection while they wait. */
  readonly userMutex: KeyedMutex;
  /** For work that would block the event loop. */
  readonly threads: ThreadPool;
  /** Fair shares of scarce resources between accounts. */
  readonly shares: {
    /** Long computations: sandbox users, previews. */
    readonly computation: FairShares;
    readonly large_read: FairShares;
    /** From unpacking to storing; limits how many unpacked uploads are in memory. */
    readonly large_upload: FairShares;
  } & ConnectionShares;
  readonly outbound: Outbound;
  /** Only for calls of this process to its own simulator. */
  readonly ownOutbound: Outbound;
  /** Recognizes requests of this process to itself. */
  readonly ownCalls: OwnCalls;
  /** Simulates all cloud providers in the sandbox. */
  readonly simulator: {
    /** Days of data of a simulated account, including the day of the connection. */
    readonly historyDays: number;
    clientOf(provider: string): { readonly clientId: string; readonly clientSecret: string };
    answer(request: RawRequest): Promise<RawReply>;
    /** Sends webhooks about new data; returns how many were accepted. */
    tick(): Promise<number>;
    addFault(fault: Fault): Promise<ActiveFault>;
    listFaults(): Promise<ActiveFault[]>;
    /** False: the fault does not exist. */
    removeFault(id: number): Promise<boolean>;
    /** Simulated accounts seen since the start. */
    listAccounts(): Promise<{ readonly provider: string; readonly account: string }[]>;
  };
  /** Null: no mail server is configured, and links are printed instead. */
  readonly mailer: Mailer | null;
  /** Prints a line on standard output, which unlike the log may contain secret links. */
  readonly print: (line: string) => void;
  readonly settings: {
    readonly version: string;
    readonly newAccountForm: Form;
    /** 0: raw payloads are not kept. */
    readonly rawRetentionDays: number;
    /** Days of history to fetch when a cloud account is connected. */
    readonly backfillDays: number;
    /** Maximum per account. */
    readonly invitationsPerHour: number;
    /** False: sandbox keys and tokens are rejected, and no sandbox jobs run. */
    readonly isSandboxOn: boolean;
    /** False until the service has started and its banner was printed. */
    isUp(): boolean;
    /** Number of migrations in this version. */
    readonly schemaVersion: number;
    /** A function, because with PORT=0 the URL is known only after the port is bound. */
    publicUrl(): string;
    /** URL for calls of this process to itself. */
    ownUrl(): string;
    /** URLs of the simulator: `pages` for browsers, `api` for this process. */
    simulator(): { readonly pages: string; readonly api: string };
    /** Credentials of the operator's applications, by provider. */
    readonly providerClients: ReadonlyMap<string, { readonly clientId: string; readonly clientSecret: string }>;
  };
  /** The OpenAPI document, generated from the route table. */
  readonly openapi: () => object;
};
