// The service with phones that can upload.
import { answerParent } from '../support/bench-child.ts';
import { type BenchService, type ServiceFacts, startBenchService } from '../support/bench-service.ts';
import { createUsers, openSessions } from '../support/create-users.ts';

export type PhoneFacts = ServiceFacts & { readonly userIds: readonly string[]; readonly tokens: readonly string[] };

let service: BenchService | undefined;

answerParent(
  {
    async start({ users }: { users: number }): Promise<PhoneFacts> {
      service = await startBenchService();
      const userIds = await createUsers(service, users);
      return { ...service.facts, userIds, tokens: await openSessions(service, userIds) };
    },
  },
  async () => service?.stop(),
);
