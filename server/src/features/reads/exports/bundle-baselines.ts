// The baselines of a bundle: inputs of scores before the first data of a sandbox user.
import { parseHrvSeries } from '../../../domain/scores/index.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { listHiddenInputs } from '../../pipeline/scoring/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export async function listBaselines(db: Queryable, user: UserHandle): Promise<object[]> {
  return [...(await listHiddenInputs(db, user))].map(([date, inputs]) => ({
    line: 'baseline',
    date,
    inputs: { ...inputs, hrv: inputs.hrv.map(({ series, ms }) => ({ ...parseHrvSeries(series), ms })) },
  }));
}
