// Users of the sandbox for the pages of a user: one with weeks of data of several devices, one with none.
import { createSandboxUser, createUser } from '../../../server/test/support/test-users.ts';
import type { Dashboard } from './start-dashboard.ts';

const DAY_MS = 86_400_000;

/** A UTC date, some days before today. */
export const dateBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

export async function createAda({ service }: Dashboard): Promise<{ readonly id: string; readonly path: string }> {
  const api = service.api(service.keys.sandbox);
  const { id } = await createUser(api, { external_ref: 'ada', timezone: 'UTC', metadata: { plan: 'pro' } });
  return { id, path: `/sandbox/users/${id}` };
}

export async function createEmptyUser({ service }: Dashboard): Promise<{ readonly path: string }> {
  const { id } = await createSandboxUser(service);
  return { path: `/sandbox/users/${id}` };
}
