// The connect button for React.
import { type ButtonHTMLAttributes, createElement, type ReactElement, useCallback, useRef, useState } from 'react';
import { connect } from './connect.ts';
import type { ButtonOptions } from './connect-button.ts';

export type { ConnectOutcome, FailureReason } from './outcome.ts';

/** Call `start` in the handler of a click. `isConnecting` until the outcome is known. */
export function useConnect(options: ButtonOptions): { start: () => void; isConnecting: boolean } {
  const [isConnecting, setConnecting] = useState(false);
  const latest = useRef(options);
  latest.current = options;
  const start = useCallback(() => {
    setConnecting(true);
    connect(latest.current)
      .then(
        (outcome) => latest.current.onOutcome(outcome),
        (error: unknown) => {
          if (!latest.current.onError) throw error;
          latest.current.onError(error);
        },
      )
      .finally(() => setConnecting(false));
  }, []);
  return { start, isConnecting };
}

export type ConnectButtonProps = ButtonOptions &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'onError' | 'type'>;

export function ConnectButton(props: ConnectButtonProps): ReactElement {
  const { authUrl, mode, language, onOutcome, onError, disabled, ...attributes } = props;
  const options = {
    authUrl,
    onOutcome,
    ...(mode && { mode }),
    ...(language && { language }),
    ...(onError && { onError }),
  };
  const { start, isConnecting } = useConnect(options);
  return createElement('button', {
    ...attributes,
    type: 'button',
    disabled: disabled === true || isConnecting,
    'aria-busy': isConnecting,
    onClick: start,
  });
}
