// The read model of one user, presented by both forms.
import type { Device } from '../devices/index.ts';
import type { User } from '../subjects/index.ts';

export type UserDetail = { readonly user: User; readonly devices: readonly Device[] };
