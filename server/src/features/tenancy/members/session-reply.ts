// The reply that begins, changes or shows a session of the dashboard, with its cookie.
import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { Reply } from '../../../platform/http/route.ts';
import { writeSessionCookie } from '../../../platform/http/session-cookie.ts';
import type { Services } from '../../../platform/services.ts';
import { readBranding } from '../accounts/index.ts';
import { type Deployment, presentSession } from './schemas.ts';
import { SESSION_LIMIT_MS } from './session-token.ts';
import type { SessionView, SignedIn } from './sign-in.ts';

type ShownSession = {
  readonly session: SessionView;
  readonly deployment: Deployment;
  /** The header Set-Cookie; null if the cookie stays. */
  readonly cookie: string | null;
};
type ReplyServices = Pick<Services, 'db' | 'settings'>;

export async function showSession(services: ReplyServices, session: SessionView): Promise<ShownSession> {
  return { session, deployment: await describeDeployment(services, session), cookie: null };
}

export async function showSignedIn(services: ReplyServices, { token, session }: SignedIn): Promise<ShownSession> {
  return { ...(await showSession(services, session)), cookie: cookieOf(services, token) };
}

export function cookieOf({ settings }: Pick<Services, 'settings'>, token: string | null): string {
  return writeSessionCookie(settings.publicUrl(), token, SESSION_LIMIT_MS / SECOND_MS);
}

export function presentShown({ session, deployment, cookie }: ShownSession): Reply {
  return { status: 200, body: presentSession(session, deployment), headers: withCookie(cookie) };
}

export function withCookie(cookie: string | null): Record<string, string> {
  return cookie === null ? {} : { 'set-cookie': cookie };
}

async function describeDeployment(services: ReplyServices, { account }: SessionView): Promise<Deployment> {
  const branding = await readBranding(services, account.id);
  const { isSandboxOn, version, commandName } = services.settings;
  const environments = isSandboxOn ? ENVIRONMENTS : (['live'] as const);
  return { displayName: branding?.displayName ?? account.name, environments, version, commandName };
}
