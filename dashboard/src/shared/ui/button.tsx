import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';
import { joinClasses } from './join-classes.ts';

type Kind = 'plain' | 'first' | 'danger' | 'ghost';

/** Looks of a button, for a `<Link className={buttonClass('first')}>`. */
export function buttonClass(kind: Kind = 'plain'): string {
  return joinClasses(styles.button, kind !== 'plain' && styles[kind]);
}

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  readonly kind?: Kind;
  readonly icon?: IconName;
  /** Disables the button and says that the work continues. */
  readonly isBusy?: boolean;
  readonly children?: ReactNode;
};

export function Button({ kind = 'plain', icon, isBusy = false, type = 'button', children, disabled, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass(kind)}
      disabled={isBusy || disabled === true}
      aria-busy={isBusy || undefined}
    >
      {icon && <Icon name={icon} size={15} />}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  readonly icon: IconName;
  /** Its action; read aloud and shown on hover. */
  readonly label: string;
  readonly hasEdge?: boolean;
};

export function IconButton({ icon, label, hasEdge = false, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={joinClasses(styles.iconButton, hasEdge && styles.edged)}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} size={16} />
    </button>
  );
}
