import { HiddenText } from '../../../shared/ui/hidden-text.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Keycap } from '../../../shared/ui/keycap.tsx';
import styles from '../events.module.css';
import { words } from '../words.ts';

type Props = {
  readonly isLive: boolean;
  readonly isPaused: boolean;
  readonly waiting: number;
  readonly onToggle: () => void;
};

/** Says whether the list follows, and changes it. */
export function TailButton({ isLive, isPaused, waiting, onToggle }: Props) {
  const state = isPaused ? words.paused(waiting) : isLive ? words.live : words.connecting;
  return (
    <button
      type="button"
      className={styles.state}
      data-state={isPaused ? 'paused' : isLive ? 'live' : 'connecting'}
      onClick={onToggle}
    >
      <Icon name={isPaused ? 'play' : 'pause'} size={14} />
      <span aria-live="polite">{state}</span>
      <HiddenText>{isPaused ? words.follow : words.pause}</HiddenText>
      <span aria-hidden="true">
        <Keycap keys=" " />
      </span>
    </button>
  );
}
