// The operator's endpoints of the simulator: faults, connected accounts, and provider webhooks. Never on the public port.

import { CLOUD_PROVIDER_IDS } from '../../../domain/provider-ids.ts';
import {
  type ActiveFault,
  FAULT_KINDS,
  FAULTY_RECORDS,
  FAULTY_REQUESTS,
  type Fault,
} from '../../../domain/sandbox/simulated-faults.ts';
import { parseLocalDate } from '../../../domain/time/calendar.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const MAX_TIMES = 1_000_000;
const MAX_DELAY_MS = 10 * MINUTE_MS; // all callers time out earlier

const faultFields = {
  kind: oneOfWords(FAULT_KINDS),
  provider: oneOfWords(CLOUD_PROVIDER_IDS),
  account: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'default: all accounts of the provider' }),
  ),
  times: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_TIMES, description: 'default: until the fault is removed' }),
  ),
  on: Type.Optional(oneOfWords(FAULTY_REQUESTS, { description: 'default: data' })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS, description: 'only for slow' })),
  record: Type.Optional(oneOfWords(FAULTY_RECORDS, { description: 'default: sleep' })),
  date: Type.Optional(Type.String({ description: 'default: the day on which the fault is added' })),
};
const faultReply = Type.Object({ id: Type.Integer(), ...faultFields });

export const simulatorOperatorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/simulator/faults',
    operationId: 'adminAddFault',
    tag,
    summary: 'Add a fault to a simulated provider',
    access,
    healthDataOf: 'nobody',
    body: requestObject(faultFields),
    replies: { 201: faultReply },
    parse: ({ body: { date, ...rest } }): Fault => (date === undefined ? rest : { ...rest, date: parseDate(date) }),
    present: (fault: ActiveFault) => ({ status: 201, body: fault }),
    errors: ['invalid_body'],
    handle: async ({ services: { simulator } }, fault) => simulator.addFault(fault),
  }),
  route({
    method: 'GET',
    path: '/admin/simulator/faults',
    operationId: 'adminListFaults',
    tag,
    summary: 'List active faults',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ data: Type.Array(faultReply) }) },
    present: (faults: ActiveFault[]) => ({ status: 200, body: { data: faults } }),
    errors: [],
    handle: async ({ services: { simulator } }) => simulator.listFaults(),
  }),
  route({
    method: 'DELETE',
    path: '/admin/simulator/faults',
    operationId: 'adminRemoveFaults',
    tag,
    summary: 'Remove all faults',
    access,
    healthDataOf: 'nobody',
    ...noContent,
    errors: [],
    async handle({ services: { simulator } }) {
      for (const { id } of await simulator.listFaults()) await simulator.removeFault(id);
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/simulator/faults/:fault_id',
    operationId: 'adminRemoveFault',
    tag,
    summary: 'Remove a fault',
    access,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found'],
    async handle({ services: { simulator } }, { params }) {
      if (!(await simulator.removeFault(Number(params.fault_id))))
        throw new AppError('not_found', { message: 'Fault not found.' });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/simulator/accounts',
    operationId: 'adminListSimulatedAccounts',
    tag,
    summary: 'List accounts connected to simulated providers, as far as seen since the start',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({ data: Type.Array(Type.Object({ provider: Type.String(), account: Type.String() })) }),
    },
    present: (accounts: { provider: string; account: string }[]) => ({ status: 200, body: { data: accounts } }),
    errors: [],
    handle: async ({ services: { simulator } }) => simulator.listAccounts(),
  }),
  route({
    method: 'POST',
    path: '/admin/simulator/provider-webhooks',
    operationId: 'adminSendProviderWebhooks',
    tag,
    summary: 'Make simulated providers send pending webhooks now; they also do so every two minutes',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ taken: Type.Integer() }) },
    present: (taken: number) => ({ status: 200, body: { taken } }),
    errors: [],
    handle: ({ services: { simulator } }) => simulator.tick(),
  }),
];

function parseDate(sent: string) {
  const date = parseLocalDate(sent);
  if (date !== null) return date;
  const issues = [{ path: 'date', message: 'must be a day such as 2026-01-31' }];
  throw new AppError('invalid_body', { details: { issues } });
}
