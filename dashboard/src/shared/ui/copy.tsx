import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';

const DONE_MS = 1_500; // long enough to be seen, short enough to copy again

type Props = {
  /** A function if the text is expensive to make. */
  readonly text: string | (() => string);
  /** The name of the copied text: "the key". */
  readonly what?: string;
  /** A button with this text; without it, an icon. */
  readonly children?: string;
  readonly kind?: 'plain' | 'first';
};

/** Copies a text and says that it did. */
export function Copy({ text, what = 'this', children, kind = 'plain' }: Props) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
    setDone(true);
  };
  const run = () => void copy().catch(() => setDone(false));
  if (children !== undefined)
    return (
      <Button icon={isDone ? 'check' : 'copy'} kind={kind} onClick={run}>
        <span aria-live="polite">{isDone ? 'Copied' : children}</span>
      </Button>
    );
  return <IconButton icon={isDone ? 'check' : 'copy'} label={isDone ? 'Copied' : `Copy ${what}`} onClick={run} />;
}
