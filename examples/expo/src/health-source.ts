import type { Changes } from '@tributary/mobile';

/** What the phone recorded since `anchor`; null: everything that the app may read. */
export type HealthSource = {
  readonly name: string;
  read(anchor: string | null): Promise<{ changes: readonly Changes[]; anchor: string; hasMore: boolean }>;
};

export type HealthPlatform = {
  readonly platform: 'ios' | 'android';
  readonly sources: readonly HealthSource[];
  askPermission(): Promise<void>;
};
