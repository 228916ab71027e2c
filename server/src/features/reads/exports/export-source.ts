// What every part of an export reads from.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type ExportSource = {
  readonly db: Database;
  readonly user: UserHandle;
  /** Limits daily values and samples. */
  isWanted(metric: Metric): boolean;
};
