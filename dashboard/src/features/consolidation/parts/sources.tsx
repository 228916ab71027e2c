import { DeviceMark } from '../../../shared/user/device-mark.tsx';
import { providerName, unknownDevice } from '../../../shared/user/devices.ts';
import { explainRank } from '../../../shared/user/explain-rank.ts';
import { lowerFirst } from '../../../shared/words/lower-first.ts';
import { useConsolidation } from '../context.ts';
import type { Draft, EditedKey } from '../draft.ts';
import { words } from '../words.ts';
import styles from './sources.module.css';

type Props = {
  readonly edited: EditedKey;
  readonly draft: Draft;
  readonly canEdit: boolean;
  /** Providers that are disabled for every metric. */
  readonly offForAll: readonly string[];
  readonly onDraft: (draft: Draft) => void;
};

/** The sources of the key, best first and why, each with a switch of its provider. */
export function Sources({ edited, draft, canEdit, offForAll, onDraft }: Props) {
  const { devices, head } = useConsolidation();
  const deviceOf = (number: number) => head.devices.find((device) => device.number === number);
  const toggle = (provider: string) => {
    const off = draft.off.includes(provider)
      ? draft.off.filter((one) => one !== provider)
      : [...draft.off, provider].sort();
    onDraft({ ...draft, off });
  };
  const switchOf = (provider: string, source: string) => (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        checked={!draft.off.includes(provider)}
        aria-checked={!draft.off.includes(provider)}
        disabled={!canEdit || offForAll.includes(provider)}
        aria-label={words.switch(source, lowerFirst(edited.name))}
        onChange={() => toggle(provider)}
      />
      <i />
    </label>
  );
  const listed = new Set(edited.sources.map(({ device }) => deviceOf(device)?.provider));
  const others = edited.providers.filter(({ provider }) => !listed.has(provider));
  const isConnected = (provider: string) => edited.providers.some((one) => one.provider === provider);
  const noteOf = (provider: string, note: string) =>
    offForAll.includes(provider) ? words.offForAll : draft.off.includes(provider) ? words.offHere : note;
  return (
    <fieldset className={styles.sources}>
      <legend>{words.sources}</legend>
      {edited.sources.length === 0 && <p className={styles.note}>{words.noSources}</p>}
      <ol>
        {edited.sources.map((source, index) => {
          const device = deviceOf(source.device);
          const look = devices.get(source.device) ?? unknownDevice(source.device);
          const provider = device?.provider ?? '';
          const why = device && explainRank({ ...source, ...device, rank: index + 1 }, edited.name);
          return (
            <li key={source.device} data-off={draft.off.includes(provider) || undefined}>
              <span className={styles.rank}>{index + 1}</span>
              <DeviceMark device={look} size={17} />
              <span className={styles.name}>
                {look.name}
                <small>{noteOf(provider, why ?? '')}</small>
              </span>
              {isConnected(provider) && switchOf(provider, look.name)}
            </li>
          );
        })}
      </ol>
      {others.length > 0 && (
        <>
          <h3>{words.otherProviders}</h3>
          <ul>
            {others.map(({ provider }) => (
              <li key={provider} data-off={draft.off.includes(provider) || undefined}>
                <span className={styles.name}>
                  {providerName(provider)}
                  <small>{noteOf(provider, '')}</small>
                </span>
                {switchOf(provider, providerName(provider))}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={styles.note}>{words.orderNote}</p>
    </fieldset>
  );
}
