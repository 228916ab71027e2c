import { useId } from 'react';
import type { RiverGeometry, RiverOutlet, RiverSource } from '../layout-river.ts';
import styles from '../river.module.css';
import type { RiverRow } from '../river-rows.ts';

type Props = {
  readonly river: RiverGeometry;
  readonly sources: readonly RiverRow[];
  readonly outlets: readonly RiverRow[];
};

export function RiverDrawing({ river, sources, outlets }: Props) {
  const water = useId();
  const { width, height, trunk, from, to } = river;
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <defs>
        <linearGradient id={water} gradientUnits="userSpaceOnUse" x1={from} x2={to} y1={0} y2={0}>
          <stop offset="0" stopColor="var(--water-1)" />
          <stop offset="0.3" stopColor="var(--water-2)" />
          <stop offset="0.45" stopColor="var(--water-3)" />
          <stop offset="0.65" stopColor="var(--water-3)" />
          <stop offset="1" stopColor="var(--water-2)" />
        </linearGradient>
      </defs>
      {sources.length === 0 && (
        <line className={styles.bed} x1={from} x2={trunk.x - 8} y1={height / 2} y2={height / 2} />
      )}
      {outlets.length === 0 && (
        <line className={styles.bed} x1={trunk.x + trunk.width + 8} x2={to - 8} y1={height / 2} y2={height / 2} />
      )}
      <g fill={`url(#${water})`}>
        {river.sources.map((source, index) => (
          <SourceStream key={sources[index]?.key} source={source} tone={sources[index]?.tone ?? 'plain'} />
        ))}
        <rect {...trunk} rx={sources.length === 0 || outlets.length === 0 ? 8 : 0} />
        {river.outlets.map((outlet, index) => (
          <OutletStream key={outlets[index]?.key} outlet={outlet} tone={outlets[index]?.tone ?? 'plain'} />
        ))}
      </g>
    </svg>
  );
}

function SourceStream({ source: { area, current, head, y }, tone }: { source: RiverSource; tone: RiverRow['tone'] }) {
  return (
    <g data-tone={tone} className={styles.stream}>
      <path d={area} />
      <circle className={styles.head} cx={head.x} cy={y} r={tone === 'bad' ? head.r + 2 : head.r} />
      <path className={styles.current} d={current} />
    </g>
  );
}

function OutletStream({
  outlet: { area, current, end, dam, y },
  tone,
}: {
  outlet: RiverOutlet;
  tone: RiverRow['tone'];
}) {
  return (
    <g data-tone={tone} className={styles.stream}>
      <path d={area} />
      {dam === null ? (
        <circle className={styles.end} cx={end.x} cy={y} r={end.r} />
      ) : (
        <>
          <path d={dam.pool} />
          <rect className={styles.dam} x={dam.x} y={y - dam.height / 2} width={6} height={dam.height} rx={3} />
          <line className={styles.bed} x1={dam.x + 11} x2={dam.bedTo} y1={y} y2={y} />
        </>
      )}
      <path className={styles.current} d={current} />
    </g>
  );
}
