// Registration, user profile, and deregistration.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { badRequest, nothingThere, refusePolar } from './refuse.ts';
import { deregister, isRegistered, register, registeredAtOf, userIdOf } from './registration.ts';

const PATH = '/v3/users';
const memberFactOf = ({ view }: PersonCall) => `member/${view.account.seed}`;

export const userRoutes: readonly SimulatedRoute[] = [
  { method: 'POST', path: PATH, access: 'person', scope: null, answer: answerRegister },
  { method: 'GET', path: `${PATH}/{id}`, access: 'person', scope: null, answer: (call) => onSelf(call, present) },
  { method: 'DELETE', path: `${PATH}/{id}`, access: 'person', scope: null, answer: (call) => onSelf(call, leave) },
];

function answerRegister(call: PersonCall): RawReply {
  const { view, context, json } = call;
  const memberId = json?.['member-id'];
  if (typeof memberId !== 'string' || memberId === '') return badRequest();
  if (!register(view.account, context)) return { status: 409 };
  context.facts.set(memberFactOf(call), memberId);
  return present(call);
}

function present(call: PersonCall): RawReply {
  const { view, context } = call;
  const { account } = view;
  if (!isRegistered(account, context)) return nothingThere();
  const { ageYears, sex, weightKg, heightCm } = account.person;
  const birthYear = Number(view.today.slice(0, 4)) - ageYears - 1;
  return replyJson(200, {
    'polar-user-id': userIdOf(account),
    'member-id': context.facts.get(memberFactOf(call)) ?? '',
    'registration-date': new Date(registeredAtOf(account, context)).toISOString(),
    'first-name': 'Made',
    'last-name': 'Up',
    birthdate: `${birthYear}-12-31`,
    gender: sex === 'female' ? 'FEMALE' : 'MALE',
    weight: weightKg,
    height: heightCm,
  });
}

/** Also revokes the token. */
function leave({ view, context, revoke }: PersonCall): RawReply {
  deregister(view.account, context);
  revoke();
  return { status: 204 };
}

function onSelf(call: PersonCall, act: (call: PersonCall) => RawReply): RawReply {
  return call.params.id === String(userIdOf(call.view.account)) ? act(call) : refusePolar('forbidden');
}
