import { memo, useEffect, useState } from 'react';
import type { Replies } from '../../../api/types.gen.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import { firstMetric } from '../group-values.ts';
import { words } from '../words.ts';
import { Explained } from './explained.tsx';
import { ValueList } from './value-list.tsx';
import styles from './values-card.module.css';

type Props = {
  readonly reply: Replies['explainDayValues'];
  readonly metric: string | undefined;
  readonly onMetric: (metric: string) => void;
};

/** All values of the day, and the explanation of one. */
export const ValuesCard = memo(function ValuesCard({ reply, metric, onMetric }: Props) {
  const [search, setSearch] = useState('');
  const isShown = useAfterPaint();
  const open = metric ?? firstMetric(reply.values);
  if (reply.values.length === 0) return null;
  return (
    <Card
      title={words.explained}
      isFlush
      actions={
        <div className={styles.search}>
          <Field
            label={words.find(reply.values.length)}
            placeholder={words.find(reply.values.length)}
            isLabelHidden
            icon="search"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      }
    >
      <div className={styles.halves}>
        <div className={styles.list}>
          <div className={styles.rows}>
            {isShown && <ValueList values={reply.values} search={search} open={open} onOpen={onMetric} />}
          </div>
        </div>
        <div className={styles.explained}>
          {open === null ? <Empty title={words.noMatch} /> : isShown && <Explained metric={open} />}
        </div>
      </div>
    </Card>
  );
});

/** The list is below the fold, so the river is painted first. */
function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}
