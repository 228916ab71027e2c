import type { Replies } from '../../api/types.gen.ts';

export type LogKind = Replies['listUserLog']['data'][number]['kind'];

export const LOG_KINDS: readonly LogKind[] = ['events', 'uploads', 'syncs', 'deliveries', 'changes', 'looks'];
