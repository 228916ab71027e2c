export const VIEWS = ['all', 'invited', 'sharing', 'archived', 'ended'] as const;
/** `ended`: invitations that were revoked, declined or not answered in time. */
export type View = (typeof VIEWS)[number];

export function isView(value: unknown): value is View {
  return VIEWS.some((view) => view === value);
}
