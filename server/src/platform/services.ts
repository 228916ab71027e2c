// What an operation may use of the outside world. Made once in compose.ts and handed to every handler and job.
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
  /** Of links that people get by mail. */
  readonly linkTokens: DerivedTokens;
  /** Of links to the privacy portal, which expire and can be replaced. */
  readonly portalTokens: DatedTokens;
  readonly signer: TokenSigner;
  readonly credentialVersion: CredentialVersion;
  readonly metrics: Metrics;
  /** By user: changes of one person's data take turns before they take a connection. */
  readonly userMutex: KeyedMutex;
  /** For work that would hold up the event loop. */
  readonly threads: ThreadPool;
  /** Of accounts, in what the process has little of. */
  readonly shares: {
    /** Calls that compute for a long time: sandbox users, previews. */
    readonly computation: FairShares;
    readonly large_read: FairShares;
    /** From unpacking to storing: so many are held in memory unpacked. */
    readonly large_upload: FairShares;
  } & ConnectionShares;
  readonly outbound: Outbound;
  /** Reaches this process itself, and is used for nothing else: the simulator is on it. */
  readonly ownOutbound: Outbound;
  /** Recognizes requests of this process to itself. */
  readonly ownCalls: OwnCalls;
  /** Stands in for all cloud providers in the sandbox. */
  readonly simulator: {
    /** Its people have data of so many days, with the day on which they connect. */
    readonly historyDays: number;
    clientOf(provider: string): { readonly clientId: string; readonly clientSecret: string };
    answer(request: RawRequest): Promise<RawReply>;
    /** How many notices of what is new were taken. */
    tick(): Promise<number>;
    addFault(fault: Fault): Promise<ActiveFault>;
    listFaults(): Promise<ActiveFault[]>;
    /** False: there is none. */
    removeFault(id: number): Promise<boolean>;
    /** Who was seen since the start. */
    listAccounts(): Promise<{ readonly provider: string; readonly account: string }[]>;
  };
  /** Null: there is no mail server, and what would be mailed is said to the operator. */
  readonly mailer: Mailer | null;
  /** A line for the operator, on standard output: unlike the log it may carry a link that opens something. */
  readonly print: (line: string) => void;
  readonly settings: {
    readonly version: string;
    readonly newAccountForm: Form;
    /** 0: no raw layer is kept. */
    readonly rawRetentionDays: number;
    /** Of history that is fetched when a cloud account is connected. */
    readonly backfillDays: number;
    /** By mail, of one account. */
    readonly invitationsPerHour: number;
    /** False: sandbox keys and tokens are refused, and nothing of the sandbox runs. */
    readonly isSandboxOn: boolean;
    /** False until everything is up and its address and first keys have been shown. */
    isUp(): boolean;
    /** Migrations this program knows. */
    readonly schemaVersion: number;
    /** Asked late: with PORT=0 it is known only once the port is bound. */
    publicUrl(): string;
    /** How this process reaches itself. */
    ownUrl(): string;
    /** Where the simulator of the providers is: its pages as a browser reaches them, its API as this process does. */
    simulator(): { readonly pages: string; readonly api: string };
    /** Credentials of the operator's applications, by provider. */
    readonly providerClients: ReadonlyMap<string, { readonly clientId: string; readonly clientSecret: string }>;
  };
  /** The published description of the API, made from the route table. */
  readonly openapi: () => object;
};
