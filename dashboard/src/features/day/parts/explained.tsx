import { useQuery } from '@tanstack/react-query';
import { Fragment, memo } from 'react';
import { useShortcut } from '../../../shared/keyboard/shortcuts.ts';
import { shortDate } from '../../../shared/time/format-time.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { describeChange } from '../../../shared/user/describe-change.ts';
import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { QuarterCells } from '../../../shared/user/quarter-cells.tsx';
import { METHOD_NAMES } from '../../../shared/words/methods.ts';
import { formatValue, splitValue } from '../../../shared/words/values.ts';
import { useDate, useDevice, useViewedUser } from '../day-context.ts';
import { type Explanation, explainValue, writeAnswer } from '../explain-value.ts';
import { valueQuery } from '../queries.ts';
import { words } from '../words.ts';
import { writeCurl } from '../write-curl.ts';
import { Alternatives, useConsolidationPath } from './alternatives.tsx';
import { Candidates } from './candidates.tsx';
import styles from './explained.module.css';
import { Records } from './records.tsx';

/** The explanation of one value. */
export function Explained({ metric }: { metric: string }) {
  const { environment, userId } = useViewedUser();
  const date = useDate();
  const query = useQuery(valueQuery({ environment, userId, date }, metric));
  return (
    <Loaded query={query} what={words.valueNotLoaded}>
      {(explanation) => <Article explanation={explanation} />}
    </Loaded>
  );
}

const Article = memo(function Article({ explanation }: { explanation: Explanation }) {
  const device = useDevice();
  const { devices } = useViewedUser();
  const { text, unit } = splitValue(explanation.value, explanation);
  const change = useConsolidationPath(explanation, null);
  const answer = () => writeAnswer(explanation, (number) => device(number).name);
  useShortcut('c', words.copyAnswer, () => void navigator.clipboard.writeText(answer()));
  return (
    <article className={styles.explained} aria-label={explanation.name}>
      <header className={styles.head}>
        <div>
          <p className={styles.what}>{`${explanation.name} · ${shortDate(explanation.date)}`}</p>
          <p className={styles.figure}>
            {text} {unit && <span>{unit}</span>}
          </p>
        </div>
        <div className={styles.actions}>
          <Copy text={answer}>{words.copyAnswer}</Copy>
          {explanation.setting.key !== null && (
            <a className={buttonClass()} href={change}>
              {words.changeHow}
            </a>
          )}
        </div>
      </header>
      <Sentence explanation={explanation} />
      <Changed explanation={explanation} />
      {explanation.candidates.length > 0 && <Candidates explanation={explanation} />}
      {explanation.alternatives.length > 1 && <Alternatives explanation={explanation} />}
      {explanation.quarter_hours.length > 0 && (
        <section>
          <h3>{words.quarterHours}</h3>
          <QuarterCells explanation={explanation} devices={devices} />
        </section>
      )}
      {explanation.records.length > 0 && <Records explanation={explanation} />}
      {explanation.formula !== null && <Formula explanation={explanation} />}
      <PublicCall metric={explanation.metric} />
    </article>
  );
});

function Sentence({ explanation }: { explanation: Explanation }) {
  const device = useDevice();
  return (
    <p className={styles.sentence}>
      {explainValue(explanation).map((piece, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their places
        if (typeof piece === 'string') return <Fragment key={index}>{piece}</Fragment>;
        if ('strong' in piece) return <b key={piece.strong}>{piece.strong}</b>;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a device may be named twice
          <span key={index} className={styles.device}>
            <DeviceMark device={device(piece.device)} /> <b>{device(piece.device).name}</b>
          </span>
        );
      })}
    </p>
  );
}

/** If the setting differs from the default: what the default would give. */
function Changed({ explanation }: { explanation: Explanation }) {
  const { setting, method, default_method: usual, alternatives } = explanation;
  const preview = useConsolidationPath(explanation, usual);
  if (!setting.overridden || method === null || usual === null || method === usual) return null;
  const given = alternatives.find((one) => one.method === usual);
  return (
    <Callout tone="warn">
      {describeChange(setting.last_change)} {words.methodIs(METHOD_NAMES[method])}{' '}
      {given && words.defaultGives(METHOD_NAMES[usual], formatValue(given.value, explanation))}{' '}
      <a href={preview}>{words.previewDefault}</a>
    </Callout>
  );
}

function Formula({ explanation: { formula, inputs } }: { explanation: Explanation }) {
  return (
    <section>
      <h3>{words.formula}</h3>
      <p className={styles.formula}>{formula}</p>
      <ul className={styles.inputs}>
        {(inputs ?? []).map(({ name, date, value, unit }) => (
          <li key={`${name} ${date}`}>
            {name.replaceAll('_', ' ')} {date && <small>{shortDate(date)}</small>}{' '}
            <b>{formatValue(value, { unit, decimals: value !== null && value % 1 !== 0 ? 1 : 0 })}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

function PublicCall({ metric }: { metric: string }) {
  const { userId } = useViewedUser();
  const date = useDate();
  const call = writeCurl(location.origin, userId, `metric=${metric}&date=${date}`, 'daily/explain');
  return (
    <details className={styles.call}>
      <summary>{words.publicCall}</summary>
      <Code value={call} label={words.copyCall} />
    </details>
  );
}
