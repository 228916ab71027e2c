// Makes a button of the page open the connect page.
import { type ConnectOptions, connect } from './connect.ts';
import type { ConnectOutcome } from './outcome.ts';

export type ButtonOptions = ConnectOptions & {
  readonly onOutcome: (outcome: ConnectOutcome) => void;
  /** `authUrl` failed, so nothing was opened. Default: the error is thrown, and appears in the console. */
  readonly onError?: (error: unknown) => void;
};

/** The button is busy (`aria-busy`) until the outcome is known. Returns a function that removes the handler. */
export function connectButton(button: HTMLButtonElement, options: ButtonOptions): () => void {
  const start = async () => {
    if (button.ariaBusy === 'true') return;
    button.ariaBusy = 'true';
    try {
      options.onOutcome(await connect(options));
    } catch (error) {
      if (!options.onError) throw error;
      options.onError(error);
    } finally {
      button.ariaBusy = 'false';
    }
  };
  button.addEventListener('click', start);
  return () => button.removeEventListener('click', start);
}
