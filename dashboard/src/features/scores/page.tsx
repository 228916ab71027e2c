import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { addDays } from '../../shared/time/dates.ts';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Shape } from '../../shared/ui/states.tsx';
import styles from './page.module.css';
import { MatrixCard } from './parts/matrix-card.tsx';
import cards from './parts/score-cards.module.css';
import { ScoreCards } from './parts/score-cards.tsx';
import { WaterfallCard } from './parts/waterfall-card.tsx';
import { type Matrix, matrixQuery } from './queries.ts';
import { type Selection, useSelection } from './use-selection.ts';
import { SCORES, words } from './words.ts';

export function ScoresPage() {
  const selection = useSelection();
  const environment = useEnvironment();
  const matrix = useQuery(matrixQuery(environment, selection.user, selection.date, selection.days));
  useNewestDay(selection, matrix.data);
  useKeys(selection);
  return (
    <Loaded query={matrix} what={words.notLoaded} shapes={<ScoresShapes />}>
      {(data) => {
        const column = data.scores.find(({ type }) => type === selection.score.type);
        return (
          <div className={styles.page} data-refreshing={matrix.isPlaceholderData || undefined}>
            <ScoreCards matrix={data} selection={selection} />
            {column && <WaterfallCard column={column} dates={data.dates} selection={selection} />}
            {column && <MatrixCard column={column} dates={data.dates} selection={selection} />}
          </div>
        );
      }}
    </Loaded>
  );
}

/** Without a day in the address, the newest day that has the score is shown. */
function useNewestDay({ isDated, date, score, go }: Selection, matrix: Matrix | undefined): void {
  useEffect(() => {
    if (isDated || matrix === undefined) return;
    const values = matrix.scores.find(({ type }) => type === score.type)?.values ?? [];
    const newest = matrix.dates[values.findLastIndex((value) => value !== null)];
    if (newest !== undefined && newest !== date) go(newest, undefined, true);
  });
}

function useKeys({ date, today, go }: Selection): void {
  useShortcut('ArrowLeft', words.dayBefore, () => go(addDays(date, -1)));
  useShortcut('ArrowRight', words.dayAfter, () => go(addDays(date, 1)), date < today);
  useShortcut('t', 'Today', () => go(today));
  // biome-ignore lint/correctness/useHookAtTopLevel: the list of scores never changes
  for (const [index, { name, slug }] of SCORES.entries()) useShortcut(String(index + 1), name, () => go(date, slug));
}

function ScoresShapes() {
  return (
    <>
      <div className={cards.cards}>
        {SCORES.map(({ type }) => (
          <Shape key={type} height={88} radius={12} />
        ))}
      </div>
      <Shape height={420} radius={12} />
    </>
  );
}
