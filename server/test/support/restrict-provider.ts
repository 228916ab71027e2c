// Makes a provider restricted, and a device of a user one of that provider, for the rest of a test.
import type { UseRestriction } from '../../src/providers/contract.ts';
import { findProvider } from '../../src/providers/registry.ts';
import type { Ending } from './ending.ts';
import type { TestService } from './test-service.ts';

export function restrictProvider(t: Ending, id: string, kinds: readonly UseRestriction['kind'][], days?: number): void {
  const provider = findProvider(id) as { restrictions?: readonly UseRestriction[] };
  const before = provider.restrictions;
  provider.restrictions = kinds.map((kind) => ({
    kind,
    description: `Invented for tests: ${kind}.`,
    ...(days !== undefined && { days }),
  }));
  t.after(async () => {
    if (before === undefined) delete provider.restrictions;
    else provider.restrictions = before;
  });
}

/** Changes only the provider of the stored device: its values stay as they were consolidated. */
export async function relabelDevices(
  t: Ending,
  { running }: TestService,
  userId: string,
  { from, to, name }: { from: string; to: string; name?: string },
): Promise<void> {
  const { db } = running.services;
  const rows = await db.query<{ id: string }>(
    'update devices set provider = $3 where user_id = $1 and provider = $2 and name = coalesce($4, name) returning id',
    [userId, from, to, name ?? null],
  );
  t.after(async () => {
    await db.query('update devices set provider = $2 where id = any($1)', [rows.map(({ id }) => id), from]);
  });
}
