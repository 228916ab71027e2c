import type { ReactNode } from 'react';
import { Icon } from '../../../shared/ui/icon.tsx';
import { number, signed } from '../../../shared/words/numbers.ts';
import type { ExplainedScore, ScoreColumn } from '../queries.ts';
import { placeBands, type Waterfall, type WaterfallStep } from '../waterfall.ts';
import { factorName, inputText, lackText, usualText, words } from '../words.ts';
import { FallBar } from './fall-bar.tsx';
import { UsualStrip } from './usual-strip.tsx';
import styles from './waterfall-table.module.css';

type Props = {
  readonly name: string;
  readonly waterfall: Waterfall;
  readonly explained: ExplainedScore;
  readonly bands: ScoreColumn['bands'];
};

/** Rows instead of columns, so that names stay readable and it fits on a phone. */
export function WaterfallTable({ name, waterfall, explained, bands }: Props) {
  const placed = placeBands(waterfall, bands);
  const bar = (from: number, to: number, kind: 'neutral' | 'step' | 'value') => (
    <FallBar waterfall={waterfall} bands={placed} from={from} to={to} kind={kind} />
  );
  return (
    <table className={styles.table} aria-label={`${name}: factors and their points`}>
      <thead>
        <tr>
          <th scope="col">{words.factor}</th>
          <th scope="col">{words.measured}</th>
          <th scope="col" className={styles.bands}>
            {placed.length === 0 && <span>0 – 100</span>}
            {placed.map((band) => (
              <span key={band.name} style={{ left: `${band.left}%`, width: `${band.width}%` }}>
                {band.name}
              </span>
            ))}
          </th>
          <th scope="col">{words.points}</th>
        </tr>
      </thead>
      <tbody>
        <Row
          name={words.neutral}
          measured={<small>{words.neutralNote}</small>}
          chart={bar(0, waterfall.neutral, 'neutral')}
          points={number(waterfall.neutral, 1)}
        />
        {waterfall.parts.flatMap(({ name: part, steps }) => [
          part !== null && <Divider key={part} text={part === 'charge' ? words.charge : words.drain} />,
          ...steps.map((step) => (
            <FactorRow key={step.factor.name} step={step} chart={bar(step.from, step.to, 'step')} />
          )),
        ])}
        {explained.missing.map(({ name: missing, reason }) => (
          <Row
            key={missing}
            name={factorName(missing)}
            measured={<small>{lackText(reason)}</small>}
            chart={<span className={styles.missing}>{words.missing}</span>}
            points="–"
          />
        ))}
      </tbody>
      <tfoot>
        <Row
          name={name}
          measured={
            <span className={styles.check} data-wrong={!waterfall.addsUp || undefined}>
              <Icon name={waterfall.addsUp ? 'check' : 'warn'} size={14} />
              {waterfall.addsUp ? words.addsUp : words.doesNotAddUp}
            </span>
          }
          chart={bar(0, waterfall.value, 'value')}
          points={<b>{number(waterfall.value, 1)}</b>}
        />
      </tfoot>
    </table>
  );
}

function FactorRow({ step: { factor }, chart }: { step: WaterfallStep; chart: ReactNode }) {
  const { contribution } = factor;
  return (
    <Row
      name={factorName(factor.name)}
      measured={
        <>
          <b className={styles.input}>{inputText(factor)}</b>
          {factor.usual === null ? (
            <small>{factor.about}</small>
          ) : (
            <span className={styles.usual}>
              <UsualStrip factor={factor} />
              <small>{usualText(factor.usual, factor.unit)}</small>
            </span>
          )}
        </>
      }
      chart={chart}
      points={
        <span data-direction={contribution > 0 ? 'adds' : contribution < 0 ? 'takes' : undefined}>
          {signed(contribution)}
        </span>
      }
    />
  );
}

type RowProps = {
  readonly name: string;
  readonly measured: ReactNode;
  readonly chart: ReactNode;
  readonly points: ReactNode;
};

function Row({ name, measured, chart, points }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles.measured}>{measured}</td>
      <td className={styles.chart}>{chart}</td>
      <td className={styles.points}>{points}</td>
    </tr>
  );
}

function Divider({ text }: { text: string }) {
  return (
    <tr className={styles.divider}>
      <th scope="rowgroup" colSpan={4}>
        {text}
      </th>
    </tr>
  );
}
