// The service on a database with many users; it also reports its memory use.
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, type ServiceFacts, startBenchService } from '../support/bench-service.ts';
import { readDatabaseCpuMs } from '../support/database-cpu.ts';
import { fillDaily, fillDatabase, type UserIds } from './fill-database.ts';

const LOOK_EVERY_MS = 2;

let service: BenchService | undefined;
let peakBytes = 0;
let watch: NodeJS.Timeout | undefined;

answerParent(
  {
    async start({ databaseUrl }: { databaseUrl?: string }): Promise<ServiceFacts> {
      service = await startBenchService(databaseUrl);
      return service.facts;
    },
    async fill({ users }: { users: number }): Promise<UserIds> {
      if (service === undefined) throw new Error('the service was not started');
      return fillDatabase(service, users);
    },
    async fillDaily({ users }: { users: number }): Promise<readonly string[]> {
      if (service === undefined) throw new Error('the service was not started');
      return fillDaily(service, users);
    },
    /** Returns how long the calls recorded so far took to be written. */
    async recordRequests({ isOn }: { isOn: boolean }): Promise<number> {
      const startMs = performance.now();
      await service?.recordRequests(isOn);
      return performance.now() - startMs;
    },
    async recordReads({ isOn }: { isOn: boolean }): Promise<number> {
      const startMs = performance.now();
      await service?.recordReads(isOn);
      return performance.now() - startMs;
    },
    /** Null on machines without /proc. */
    async readDatabaseCpuMs(): Promise<number | null> {
      return service === undefined ? null : readDatabaseCpuMs(service.db);
    },
    watchMemory(): void {
      peakBytes = 0;
      watch ??= setInterval(() => {
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      }, LOOK_EVERY_MS);
    },
    /** Since the previous call. */
    takePeakBytes(): number {
      const taken = Math.max(peakBytes, process.memoryUsage.rss());
      peakBytes = 0;
      return taken;
    },
  },
  async () => {
    clearInterval(watch);
    await service?.stop();
  },
);
