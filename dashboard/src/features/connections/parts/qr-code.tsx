import { useQuery } from '@tanstack/react-query';
import styles from '../connections.module.css';

type Props = { readonly text: string; readonly label: string };

/** Drawn in the browser: the link goes to nobody else. */
export function QrCode({ text, label }: Props) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: () => drawCode(text),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className={styles.qr}>
      {data && (
        <svg viewBox={`-2 -2 ${data.size + 4} ${data.size + 4}`} role="img" aria-label={label}>
          <path d={data.path} />
        </svg>
      )}
    </div>
  );
}

async function drawCode(text: string) {
  const [{ generate }, { toSvgPath }] = await Promise.all([import('lean-qr'), import('lean-qr/extras/svg')]);
  const code = generate(text);
  return { size: code.size, path: toSvgPath(code) };
}
