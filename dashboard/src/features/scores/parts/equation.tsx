import { number, signed } from '../../../shared/words/numbers.ts';
import type { Waterfall } from '../waterfall.ts';
import { factorName } from '../words.ts';
import styles from './equation.module.css';

/** The sum in figures: 50.0 −15.0 +3.7 = 38.7. */
export function Equation({ waterfall }: { waterfall: Waterfall }) {
  const steps = waterfall.parts.flatMap((part) => part.steps);
  return (
    <p className={styles.equation}>
      <span>{number(waterfall.neutral, 1)}</span>
      {steps
        .filter(({ factor }) => factor.contribution !== 0)
        .map(({ factor }) => (
          <span
            key={factor.name}
            title={factorName(factor.name)}
            data-direction={factor.contribution > 0 ? 'adds' : 'takes'}
          >
            {signed(factor.contribution)}
          </span>
        ))}
      <b>= {number(waterfall.value, 1)}</b>
    </p>
  );
}
