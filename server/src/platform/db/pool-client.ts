// The driver's client as all pools use it: it finds its host, applies the settings of the session, and is watched for silence.
import pg from 'pg';
import type { Logger } from '../log.ts';
import { type DriverClient, directTo, requireReadWrite } from './ask-host.ts';
import type { HostFinder } from './find-host.ts';

type Callback = (error: Error | null) => void;

type ClientSetup = {
  readonly hosts: HostFinder;
  readonly isWritable: boolean;
  /** With SET instead of startup parameters, which PgBouncer rejects. */
  readonly sessionSettings: string;
  readonly log: Logger;
  observe(client: DriverClient): void;
};

export function createClientClass(setup: ClientSetup): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      // The query of a lost connection fails, which is enough; without a listener the error would end the process.
      this.on('error', (error) => setup.log.debug({ reason: error.message }, 'lost a database connection'));
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: Callback): void;
    override connect(callback?: Callback): Promise<pg.Client> | undefined {
      const connected = this.open();
      if (!callback) return connected;
      connected.then(() => callback(null), callback);
      return undefined;
    }

    private async open(): Promise<pg.Client> {
      const host = await setup.hosts.find();
      directTo(this, host);
      try {
        await super.connect();
        setup.observe(this as pg.Client as DriverClient);
        const check = setup.isWritable ? 'show transaction_read_only' : '';
        const results = await this.query(`${setup.sessionSettings}; ${check}`);
        if (setup.isWritable) requireReadWrite([results].flat().at(-1)?.rows ?? [], host);
        return this;
      } catch (error) {
        if (host) setup.hosts.doubt(host);
        this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}
