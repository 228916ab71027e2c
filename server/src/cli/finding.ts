// One result of `tributary doctor`.

export type Finding = {
  readonly check: string;
  readonly ok: boolean;
  /** It works, but should be changed. */
  readonly isWarning?: boolean;
  readonly found: string;
  readonly fix?: string;
};

export function warning(check: string, found: string, fix: string): Finding {
  return { check, ok: true, isWarning: true, found, fix };
}
