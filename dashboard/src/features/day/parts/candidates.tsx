import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { explainRank } from '../../../shared/user/explain-rank.ts';
import { formatValue } from '../../../shared/words/values.ts';
import { useDevice } from '../day-context.ts';
import { type Candidate, type Explanation, isCounted, nameOutcome } from '../explain-value.ts';
import { words } from '../words.ts';
import styles from './candidates.module.css';

/** Every source, best first: rank and why, its own value with the counted part full, and the outcome. */
export function Candidates({ explanation }: { explanation: Explanation }) {
  const largest = Math.max(...explanation.candidates.map(({ value }) => Math.abs(value ?? 0)), 0);
  return (
    <section>
      <h3 className={styles.title}>{words.sources}</h3>
      <ol className={styles.list}>
        {explanation.candidates.map((candidate) => (
          <CandidateRow key={candidate.device} candidate={candidate} explanation={explanation} largest={largest} />
        ))}
      </ol>
    </section>
  );
}

type RowProps = { readonly candidate: Candidate; readonly explanation: Explanation; readonly largest: number };

function CandidateRow({ candidate, explanation, largest }: RowProps) {
  const device = useDevice()(candidate.device);
  return (
    <li className={styles.row}>
      <span className={styles.rank}>{candidate.rank}</span>
      <DeviceMark device={device} />
      <span className={styles.name}>
        {device.name}
        <small>{explainRank(candidate, explanation.name)}</small>
      </span>
      <span className={styles.bar}>
        <Bar candidate={candidate} largest={largest} colour={device.colour} />
      </span>
      <span className={styles.value}>
        <b>{formatValue(candidate.value, explanation)}</b>
        <small>
          {candidate.outcome === 'partly_used'
            ? `${formatValue(candidate.contributed, explanation)} ${words.counted}`
            : nameOutcome(candidate)}
        </small>
      </span>
    </li>
  );
}

const HEIGHT = 14;

function Bar({ candidate, largest, colour }: { candidate: Candidate; largest: number; colour: string }) {
  const { value, contributed } = candidate;
  if (value === null || largest === 0) return null;
  const whole = (Math.abs(value) / largest) * 100;
  const share = !isCounted(candidate) ? 0 : Math.min(1, value === 0 ? 1 : Math.abs((contributed ?? value) / value));
  const id = `hatch-${candidate.device}`;
  return (
    <svg width="100%" height={HEIGHT} aria-hidden="true">
      <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0V5" stroke={colour} strokeWidth={1.6} strokeOpacity={0.6} />
      </pattern>
      <rect
        x={0.5}
        y={0.5}
        width={`${Math.max(1, whole - 0.5)}%`}
        height={HEIGHT - 1}
        rx={3}
        fill={`url(#${id})`}
        stroke={colour}
        strokeOpacity={0.6}
      />
      <rect width={`${whole * share}%`} height={HEIGHT} rx={3} fill={colour} />
    </svg>
  );
}
