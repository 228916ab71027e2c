// The service with users to read.
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, type ServiceFacts, startBenchService } from '../support/bench-service.ts';
import { createUsers } from '../support/create-users.ts';

export type UserFacts = ServiceFacts & { readonly userIds: readonly string[] };

let service: BenchService | undefined;

answerParent(
  {
    async start({ users }: { users: number }): Promise<UserFacts> {
      service = await startBenchService();
      return { ...service.facts, userIds: await createUsers(service, users) };
    },
  },
  async () => service?.stop(),
);
