import { Icon } from '../../../shared/ui/icon.tsx';
import styles from '../settings.module.css';
import { words } from '../words.ts';

/** Says that a change is stored. */
export function Saved({ isShown }: { isShown: boolean }) {
  return (
    <span role="status" className={styles.saved}>
      {isShown && (
        <>
          <Icon name="check" size={15} />
          {words.saved}
        </>
      )}
    </span>
  );
}
