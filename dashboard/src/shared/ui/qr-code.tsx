import { generate } from 'lean-qr';
import styles from './qr-code.module.css';

const MARGIN = 4; // modules of white that readers expect around the code

/** A QR code, drawn in the browser as one path: the text goes to nobody else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  let path = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  const side = code.size + 2 * MARGIN;
  return (
    <svg
      className={styles.code}
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
