import { Shape } from '../../../shared/ui/states.tsx';

const RIVER_HEIGHT = 520;

export function WeekShapes() {
  return <Shape height={84} radius={12} />;
}

export function RiverShapes() {
  return <Shape height={RIVER_HEIGHT} radius={12} />;
}
