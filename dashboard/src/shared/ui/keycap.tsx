import styles from './keycap.module.css';

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'space',
};

/** Keys as they stand on a keyboard: `g h`, `mod+k`. */
export function Keycap({ keys }: { keys: string }) {
  const caps = keys === ' ' ? [keys] : keys.split(/[ +]/);
  return (
    <span className={styles.keys}>
      {caps.map((cap) => (
        <kbd key={cap}>
          {cap === 'mod' ? modifier() : (NAMES[cap] ?? (keys.startsWith('mod') ? cap.toUpperCase() : cap))}
        </kbd>
      ))}
    </span>
  );
}

function modifier(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
}
