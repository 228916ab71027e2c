import { Shape } from '../../../shared/ui/states.tsx';
import cards from './score-cards.module.css';

const NAMES = ['1', '2', '3', '4', '5', '6'];

export function ScoresShapes() {
  return (
    <>
      <div className={cards.cards}>
        {NAMES.map((name) => (
          <Shape key={name} height={88} radius={12} />
        ))}
      </div>
      <Shape height={420} radius={12} />
    </>
  );
}
