import type { ReactNode } from 'react';
import type { BandBox, RiverLayout } from '../layout.ts';
import styles from './river.module.css';

type Props = { readonly layout: RiverLayout; readonly box: BandBox; readonly name: string; readonly note?: ReactNode };

/** The name of a chart: at its left, or above it in a narrow window. */
export function BandName({ layout, box, name, note }: Props) {
  if (layout.isNarrow)
    return (
      <text x={0} y={box.top - 7} className={styles.name}>
        {name}
        {note && (
          <tspan dx={8} className={styles.note}>
            {note}
          </tspan>
        )}
      </text>
    );
  return (
    <>
      <text x={0} y={box.top + 11} className={styles.name}>
        {name}
      </text>
      {note && (
        <text x={0} y={box.top + 26} className={styles.note}>
          {note}
        </text>
      )}
    </>
  );
}
