import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import styles from './field.module.css';
import { Icon, type IconName } from './icon.tsx';
import { joinClasses } from './join-classes.ts';

type Around = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The problem, and what to do. */
  readonly problem?: string | null | undefined;
};

type FieldProps = Around &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
    readonly icon?: IconName;
    /** The label is read aloud only; for a search whose icon says it. */
    readonly isLabelHidden?: boolean;
    readonly isMono?: boolean;
  };

export function Field({ label, hint, problem, icon, isLabelHidden = false, isMono = false, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? styles.hidden : styles.label}>
        {label}
      </label>
      <div className={styles.box} data-invalid={Boolean(problem) || undefined}>
        {icon && <Icon name={icon} size={15} />}
        <input
          {...input}
          id={id}
          className={joinClasses(styles.input, isMono && styles.mono)}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem || hint ? `${id}-note` : undefined}
        />
      </div>
      <Note id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  );
}

type SelectProps = Around &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'id'> & {
    readonly options: readonly { readonly value: string; readonly text: string }[];
    readonly isLabelHidden?: boolean;
  };

export function Select({ label, hint, problem, options, isLabelHidden = false, ...select }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? styles.hidden : styles.label}>
        {label}
      </label>
      <div className={styles.box} data-invalid={Boolean(problem) || undefined}>
        <select
          {...select}
          id={id}
          className={styles.input}
          aria-describedby={problem || hint ? `${id}-note` : undefined}
        >
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
      <Note id={`${id}-note`} hint={hint} problem={problem} />
    </div>
  );
}

function Note({ id, hint, problem }: Pick<Around, 'hint' | 'problem'> & { id: string }) {
  if (problem)
    return (
      <p id={id} className={styles.problem}>
        <Icon name="warn" size={13} />
        {problem}
      </p>
    );
  return hint ? (
    <p id={id} className={styles.hint}>
      {hint}
    </p>
  ) : null;
}
