import { Icon } from '../../../shared/ui/icon.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { ALWAYS_SHOWN } from '../queries.ts';
import { words } from '../words.ts';
import styles from './river-card.module.css';

type Props = {
  readonly available: readonly { readonly metric: string; readonly name: string }[];
  readonly charts: readonly string[];
  readonly onCharts: (charts: readonly string[]) => void;
};

const MAX_CHARTS = 4; // beside heart rate and steps

/** Adds any metric with samples to the river, or removes it. */
export function ChartMenu({ available, charts, onCharts }: Props) {
  const others = available.filter(({ metric }) => !ALWAYS_SHOWN.includes(metric));
  if (others.length === 0) return null;
  return (
    <Menu
      side="start"
      opensUp
      className={styles.menu}
      face={
        <>
          <Icon name="plus" size={13} /> {words.addChart}
        </>
      }
    >
      {others.map(({ metric, name }) => {
        const isShown = charts.includes(metric);
        return (
          <button
            key={metric}
            type="button"
            aria-pressed={isShown}
            disabled={!isShown && charts.length >= MAX_CHARTS}
            onClick={() => onCharts(isShown ? charts.filter((one) => one !== metric) : [...charts, metric])}
          >
            {isShown ? words.removeChart(name) : name}
          </button>
        );
      })}
    </Menu>
  );
}
