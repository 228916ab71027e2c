import { Shape } from '../../../shared/ui/states.tsx';
import styles from '../consolidation.module.css';

/** In the places of list, form and preview. */
export function EditorShapes() {
  return (
    <div className={styles.editor}>
      <Shape height={320} radius={12} />
      <Shape height={520} radius={12} />
      <Shape height={320} radius={12} />
    </div>
  );
}
