// Who can call a route. Every row of the route table must have an access rule to compile.
import { type Environment, hasRole, type MemberRole } from '../../domain/tenancy.ts';
import { AppError } from '../errors.ts';
import type {
  AccountCaller,
  AnonymousCaller,
  Caller,
  MemberCaller,
  OperatorCaller,
  SdkSessionCaller,
  UserTokenCaller,
} from './caller.ts';

export type Access =
  /** `guesses: limited`: the call checks a secret, so its 401 responses are counted by address (gap G-53). */
  | { readonly to: 'anyone'; readonly guesses?: 'limited' }
  /** Health checks: a flood from the same address must not make the process look dead. */
  | { readonly to: 'probes' }
  | { readonly to: 'sdk_session' }
  | { readonly to: 'operator' }
  | MemberAccess
  /** `environment`: only a key of that one may make the call. `members: 'excluded'`: not offered on the dashboard. */
  | {
      readonly to: 'api_key';
      readonly billing: BillingRule;
      readonly environment?: Environment;
      readonly members?: 'excluded';
    }
  | { readonly to: 'api_key_or_own_user'; readonly billing: BillingRule; readonly userParameter: string };

/** For signed-in members, on the dashboard. */
export type MemberAccess = {
  readonly to: 'member';
  /** `operator` is a right of the deployment and independent of the roles. */
  readonly role: MemberRole | 'operator';
  /** The call is dangerous: it needs a password that was entered within the last ten minutes. */
  readonly isDangerous?: true;
  /** Also for a closed account, which members otherwise only read; rows of viewers concern the member and always work. */
  readonly worksWhenClosed?: true;
  readonly billing?: BillingRule;
  readonly environment?: Environment;
};

/** `checked`: 402 while the account is past due or suspended. `exempt`: always allowed (gap G-42). */
type BillingRule = 'checked' | 'exempt';

export type CallerOf<A extends Access> = A extends { to: 'anyone' | 'probes' }
  ? AnonymousCaller
  : A extends { to: 'operator' }
    ? OperatorCaller
    : A extends { to: 'sdk_session' }
      ? SdkSessionCaller
      : A extends { to: 'member' }
        ? MemberCaller
        : A extends { to: 'api_key' }
          ? AccountCaller
          : AccountCaller | UserTokenCaller;

export function requireAccess(access: Access, caller: Caller, params: Readonly<Record<string, string>>): void {
  if (!isAdmitted(access, caller)) throw refuse(access);
  if (access.to === 'member') requireRole(access, caller as MemberCaller);
  if (access.to === 'api_key_or_own_user' && caller.kind === 'user_token') {
    if (params[access.userParameter]?.toLowerCase() !== caller.userId) throw new AppError('wrong_user');
  }
  const environment = 'environment' in access ? access.environment : undefined;
  if (environment !== undefined && 'tenant' in caller && caller.tenant.environment !== environment)
    throw new AppError('insufficient_scope', { message: `This call needs a ${environment} key.` });
  if ('billing' in access && access.billing === 'checked' && 'billing' in caller && caller.billing !== 'active') {
    throw new AppError('payment_required', { details: { billing_status: caller.billing } });
  }
}

const NEEDED: Readonly<Partial<Record<Access['to'], string>>> = {
  api_key: 'an API key',
  api_key_or_own_user: 'an API key or a user token',
  sdk_session: 'the access token of an SDK session',
};

function refuse({ to }: Access): AppError {
  const needed = NEEDED[to];
  return new AppError('insufficient_scope', needed === undefined ? {} : { message: `This call needs ${needed}.` });
}

function requireRole(access: MemberAccess, caller: MemberCaller): void {
  const isAllowed = access.role === 'operator' ? caller.isOperator : hasRole(caller.role, access.role);
  if (!isAllowed) throw new AppError('insufficient_role', { details: { role: caller.role, needs: access.role } });
  if (access.isDangerous && !caller.isConfirmed) throw new AppError('confirmation_required');
}

function isAdmitted(access: Access, caller: Caller): boolean {
  switch (access.to) {
    case 'anyone':
    case 'probes':
      return true;
    case 'operator':
      return caller.kind === 'operator';
    case 'sdk_session':
      return caller.kind === 'sdk_session';
    case 'member':
      return caller.kind === 'member';
    case 'api_key':
      return caller.kind === 'api_key';
    case 'api_key_or_own_user':
      return caller.kind === 'api_key' || caller.kind === 'user_token';
  }
}
