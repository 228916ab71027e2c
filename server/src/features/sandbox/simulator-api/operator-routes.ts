// The operator's side of the simulator: accidents on demand, who is connected, and notices at once. Never on the public port.

import { CLOUD_PROVIDER_IDS } from '../../../domain/provider-ids.ts';
import {
  type ActiveFault,
  FAULT_KINDS,
  FAULTY_RECORDS,
  FAULTY_REQUESTS,
  type Fault,
} from '../../../domain/sandbox/simulated-faults.ts';
import { parseLocalDate } from '../../../domain/time/calendar.ts';
import { AppError } from '../../../platform/errors.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;
const MAX_TIMES = 1_000_000;
const MAX_DELAY_MS = 600_000; // all who ask have given up by then

const faultFields = {
  kind: oneOfWords(FAULT_KINDS),
  provider: oneOfWords(CLOUD_PROVIDER_IDS),
  account: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'absent: all of the provider' })),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_TIMES, description: 'absent: until it is taken back' })),
  on: Type.Optional(oneOfWords(FAULTY_REQUESTS, { description: 'absent: data' })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS, description: 'of slow' })),
  record: Type.Optional(oneOfWords(FAULTY_RECORDS, { description: 'absent: sleep' })),
  date: Type.Optional(Type.String({ description: 'absent: the day on which the fault is set' })),
};
const faultReply = Type.Object({ id: Type.Integer(), ...faultFields });
const presentNothing = () => ({ status: 204, body: null }) as const;

export const simulatorOperatorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/simulator/faults',
    operationId: 'adminAddFault',
    tag,
    summary: 'Let something go wrong at a provider of the sandbox',
    access,
    dialects: {
      both: dialect({
        body: requestObject(faultFields),
        replies: { 201: faultReply },
        parse: ({ body: { date, ...rest } }): Fault => (date === undefined ? rest : { ...rest, date: parseDate(date) }),
        present: (fault: ActiveFault) => ({ status: 201, body: fault }),
      }),
    },
    errors: ['invalid_body'],
    handle: async ({ services: { simulator } }, fault) => simulator.addFault(fault),
  }),
  route({
    method: 'GET',
    path: '/admin/simulator/faults',
    operationId: 'adminListFaults',
    tag,
    summary: 'List the faults that stand',
    access,
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ data: Type.Array(faultReply) }) },
        parse: () => null,
        present: (faults: ActiveFault[]) => ({ status: 200, body: { data: faults } }),
      }),
    },
    errors: [],
    handle: async ({ services: { simulator } }) => simulator.listFaults(),
  }),
  route({
    method: 'DELETE',
    path: '/admin/simulator/faults',
    operationId: 'adminRemoveFaults',
    tag,
    summary: 'Take all faults back',
    access,
    dialects: { both: dialect({ replies: { 204: null }, parse: () => null, present: presentNothing }) },
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
    summary: 'Take a fault back',
    access,
    dialects: {
      both: dialect({
        replies: { 204: null },
        parse: ({ params }) => Number(params.fault_id),
        present: presentNothing,
      }),
    },
    errors: ['not_found'],
    async handle({ services: { simulator } }, id) {
      if (!(await simulator.removeFault(id))) throw new AppError('not_found', { message: 'There is no such fault.' });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/simulator/accounts',
    operationId: 'adminListSimulatedAccounts',
    tag,
    summary: 'List who is connected to providers of the sandbox, as far as they were seen since the start',
    access,
    dialects: {
      both: dialect({
        replies: {
          200: Type.Object({ data: Type.Array(Type.Object({ provider: Type.String(), account: Type.String() })) }),
        },
        parse: () => null,
        present: (accounts: { provider: string; account: string }[]) => ({ status: 200, body: { data: accounts } }),
      }),
    },
    errors: [],
    handle: async ({ services: { simulator } }) => simulator.listAccounts(),
  }),
  route({
    method: 'POST',
    path: '/admin/simulator/provider-webhooks',
    operationId: 'adminSendNotices',
    tag,
    summary: 'Let providers of the sandbox tell at once what is new; they do so by themselves every two minutes',
    access,
    dialects: {
      both: dialect({
        replies: { 200: Type.Object({ taken: Type.Integer() }) },
        parse: () => null,
        present: (taken: number) => ({ status: 200, body: { taken } }),
      }),
    },
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
