// The read model of one user, presented by both forms.
import type { Device } from '../../store/devices/index.ts';
import type { User } from '../../tenancy/user-core/index.ts';

export type UserDetail = { readonly user: User; readonly devices: readonly Device[] };
