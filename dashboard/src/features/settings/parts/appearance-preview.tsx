import { readableOn } from '../readable-on.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';

type Props = {
  readonly name: string;
  readonly logo: string | null;
  readonly accent: string;
  readonly hasPrivacy: boolean;
  readonly hasSupport: boolean;
};

/** The consent page in small, as a person sees it. It is a picture: nothing in it can be pressed. */
export function AppearancePreview({ name, logo, accent, hasPrivacy, hasSupport }: Props) {
  return (
    <figure className={styles.preview}>
      <figcaption>{words.preview}</figcaption>
      <div className={styles.phone} aria-hidden="true">
        <div className={styles.pair}>
          {logo === null ? (
            <span className={styles.logo} style={{ background: accent, color: readableOn(accent) }}>
              {name.slice(0, 1).toUpperCase()}
            </span>
          ) : (
            <img className={styles.logo} src={logo} alt="" />
          )}
          <span className={styles.thread} />
          <span className={styles.provider}>O</span>
        </div>
        <p className={styles.question}>{words.previewQuestion(name)}</p>
        <p className={styles.detail}>{words.previewDetail}</p>
        <span className={styles.press} style={{ background: accent, color: readableOn(accent) }}>
          {words.previewContinue}
        </span>
        <p className={styles.detail}>
          {[hasPrivacy && words.previewPrivacy, hasSupport && words.previewSupport].filter(Boolean).join(' · ')}
        </p>
      </div>
    </figure>
  );
}
