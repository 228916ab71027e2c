import { useWidth } from '../../../shared/chart/use-width.ts';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useNow } from '../../../shared/time/use-now.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { number } from '../../../shared/words/numbers.ts';
import { layoutRiver, type RiverGeometry } from '../layout-river.ts';
import type { Flow } from '../queries.ts';
import styles from '../river.module.css';
import { listOutlets, listSources, type RiverRow } from '../river-rows.ts';
import { words } from '../words.ts';
import { RiverDrawing } from './river-drawing.tsx';

/** Sources, events and webhooks of the range. The drawing repeats what the lists say, so only the lists are read aloud. */
export function RiverCard({ flow }: { flow: Flow }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const nowMs = useNow();
  const sources = listSources(flow.sources, nowMs);
  const outlets = listOutlets(flow.outlets);
  const river = layoutRiver({ width, sources: sources.map(({ count }) => count), outlets });
  return (
    <Card title={words.river} actions={<span className={styles.explanation}>{words.riverNote}</span>}>
      <div ref={box} className={styles.box} style={{ height: river.height }}>
        {width > 0 && (
          <>
            <RiverDrawing river={river} sources={sources} outlets={outlets} />
            <Names label={words.sources} rows={sources} places={river.sources} river={river} side="left" />
            <p
              className={styles.trunk}
              style={{ left: river.trunk.x, width: river.trunk.width, top: river.height / 2 }}
            >
              <b>{number(flow.events)}</b>{' '}
              <span>{river.isNarrow ? words.events(flow.events) : words.eventsOf(flow.events, flow.people)}</span>
            </p>
            <Names label={words.outlets} rows={outlets} places={river.outlets} river={river} side="right" />
          </>
        )}
      </div>
    </Card>
  );
}

type NamesProps = {
  readonly label: string;
  readonly rows: readonly RiverRow[];
  readonly places: readonly { readonly y: number }[];
  readonly river: RiverGeometry;
  readonly side: 'left' | 'right';
};

function Names({ label, rows, places, river, side }: NamesProps) {
  const isLeft = side === 'left';
  const width = isLeft ? river.left : river.right;
  if (rows.length === 0)
    return (
      <p className={styles.none} data-side={side} style={{ width, top: river.height / 2 }}>
        <b>{isLeft ? words.noSources : words.noOutlets}</b>
        {isLeft ? (
          <small>{words.noSourcesNote}</small>
        ) : (
          <EnvironmentLink path="webhooks">{words.noOutletsNote}</EnvironmentLink>
        )}
      </p>
    );
  return (
    <ul aria-label={label}>
      {rows.map(({ key, name, notes, tone, path }, index) => (
        <li key={key} className={styles.name} data-side={side} style={{ width, top: places[index]?.y }}>
          <EnvironmentLink path={path} title={name}>
            <b>{name}</b>
            <small data-tone={tone}>{notes.slice(0, river.isNarrow ? 1 : 2).join(' · ')}</small>
          </EnvironmentLink>
        </li>
      ))}
    </ul>
  );
}
