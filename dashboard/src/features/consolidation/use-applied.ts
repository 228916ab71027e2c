// The last change that was applied: it can be undone for a minute, and its days are computed in the background.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Environment } from '../../shared/routing/parents.ts';
import { userKey } from '../../shared/user/head.ts';
import type { EditedKey } from './draft.ts';
import { type KeyChange, toUndo } from './draft.ts';
import { computedQuery, type Preview, useApply } from './queries.ts';

const UNDO_MS = 60_000;

type LastChange = {
  readonly name: string;
  readonly key: string;
  readonly undo: KeyChange;
  readonly days: number;
  /** One of the values that change; null: none does. */
  readonly expected: Preview['changes'][number] | null;
  readonly atMs: number;
};

export type Applied = ReturnType<typeof useApplied>;

export function useApplied(user: { readonly environment: Environment; readonly userId: string }) {
  const { environment, userId } = user;
  const queries = useQueryClient();
  const change = useApply();
  const [last, setLast] = useState<LastChange | null>(null);
  const [isUndone, setUndone] = useState(false);
  const [doneMs, setDoneMs] = useState<number | null>(null);
  const computed = useQuery(computedQuery(user, doneMs === null ? (last?.expected ?? null) : null));
  const isComputed = last !== null && (last.expected === null || computed.data?.value === last.expected.to);

  useEffect(() => {
    if (!isComputed || doneMs !== null || last === null) return;
    setDoneMs(Date.now() - last.atMs);
    void queries.invalidateQueries({ queryKey: userKey(environment, userId) });
  }, [isComputed, doneMs, last, queries, environment, userId]);
  useEffect(() => {
    if (last === null) return;
    const timer = setTimeout(() => setLast(null), UNDO_MS);
    return () => clearTimeout(timer);
  }, [last]);

  return {
    last,
    isUndone,
    isBusy: change.isPending,
    error: change.error,
    /** Seconds until the days were computed; null: they still are. */
    seconds: doneMs === null ? null : doneMs / 1_000,
    async apply(edited: EditedKey, wanted: KeyChange, preview: Preview) {
      const undo = toUndo(edited, wanted);
      await change.mutateAsync({ key: edited.key, change: wanted });
      setUndone(false);
      setDoneMs(null);
      setLast({
        name: edited.name,
        key: edited.key,
        undo,
        days: preview.days_changed,
        expected: preview.changes.at(-1) ?? null,
        atMs: Date.now(),
      });
    },
    async undo() {
      if (last === null) return;
      await change.mutateAsync({ key: last.key, change: last.undo });
      setUndone(true);
      const { expected } = last;
      setDoneMs(null);
      setLast({ ...last, expected: expected && { ...expected, to: expected.from }, atMs: Date.now() });
    },
    dismiss: () => setLast(null),
  };
}
