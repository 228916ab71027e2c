// What every part of an export reads from.
import type { Metric } from '../../../domain/metrics/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { ExcludedProviders } from './exportable.ts';

export type ExportSource = {
  readonly db: Database;
  readonly user: UserHandle;
  /** Limits daily values and samples. */
  isWanted(metric: Metric): boolean;
  /** Providers of this user whose terms forbid the export. Mostly none. */
  readonly excluded: ExcludedProviders;
};
