// The service with one user.
import { dirname } from 'node:path';
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, startBenchService } from '../support/bench-service.ts';
import { createUsers } from '../support/create-users.ts';

let service: BenchService | undefined;

answerParent(
  {
    async start() {
      service = await startBenchService();
      const [userId] = await createUsers(service, 1);
      return { userId, dataDir: dirname(service.services.settings.importFolder) };
    },
  },
  async () => service?.stop(),
);
