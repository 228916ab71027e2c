import { type ChangeEvent, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { type Account, type AccountChange, useChangeAccount } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';
import { AppearancePreview } from './appearance-preview.tsx';
import { Saved } from './saved.tsx';

type Draft = {
  readonly displayName: string;
  readonly accent: string;
  readonly privacyUrl: string;
  readonly supportUrl: string;
  /** Undefined: as it is. Null: removed. */
  readonly logo: string | null | undefined;
};

/** The limit of the service. */
const MAX_LOGO_BYTES = 64 * 1024;
const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const DEFAULT_ACCENT = '#0b6a8f';

/** How the account looks on hosted pages, beside a preview that follows every change. */
export function AppearanceCard({ account, canChange }: { account: Account; canChange: boolean }) {
  const change = useChangeAccount();
  const [draft, setDraft] = useState(() => toDraft(account));
  const [logoProblem, setLogoProblem] = useState<string | null>(null);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const changes = toChange(draft, account);
  const chooseLogo = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    const problem = checkLogo(file);
    setLogoProblem(problem);
    if (problem === null) set({ logo: await readDataUrl(file) });
  };
  const save = () => change.mutate(changes, { onSuccess: () => set({ logo: undefined }) });
  const field = (label: string, hint: string, path: string, key: 'displayName' | 'privacyUrl' | 'supportUrl') => (
    <Field
      label={label}
      hint={hint}
      disabled={!canChange}
      value={draft[key]}
      problem={problemOf(change.error, path)}
      onChange={(event) => set({ [key]: event.target.value })}
    />
  );
  return (
    <Card title={words.appearance}>
      <div className={styles.withPreview}>
        <Form
          onSubmit={save}
          error={change.error}
          fields={['display_name', 'accent_color', 'privacy_url', 'support_url']}
        >
          <p className={styles.note}>{words.appearanceNote}</p>
          {field(words.displayName, words.displayNameHint, 'display_name', 'displayName')}
          <div className={styles.columns}>
            <Field
              label={words.logo}
              type="file"
              accept={LOGO_TYPES.join(',')}
              hint={words.logoHint}
              disabled={!canChange}
              problem={logoProblem ?? problemOf(change.error, 'logo')}
              onChange={(event) => void chooseLogo(event)}
            />
            <Field
              label={words.accent}
              type="color"
              hint={words.accentHint}
              disabled={!canChange}
              value={draft.accent || DEFAULT_ACCENT}
              problem={problemOf(change.error, 'accent_color')}
              onChange={(event) => set({ accent: event.target.value })}
            />
          </div>
          {field(words.privacyUrl, words.privacyUrlHint, 'privacy_url', 'privacyUrl')}
          {field(words.supportUrl, words.supportUrlHint, 'support_url', 'supportUrl')}
          {canChange && (
            <div className={styles.actions}>
              <Button type="submit" kind="first" disabled={Object.keys(changes).length === 0} isBusy={change.isPending}>
                {words.save}
              </Button>
              {(draft.logo ?? account.logo_url) !== null && (
                <Button kind="ghost" onClick={() => set({ logo: null })}>
                  {words.removeLogo}
                </Button>
              )}
              <Saved isShown={change.isSuccess && Object.keys(changes).length === 0} />
            </div>
          )}
        </Form>
        <AppearancePreview
          name={draft.displayName || account.name}
          logo={draft.logo === undefined ? account.logo_url : draft.logo}
          accent={draft.accent || DEFAULT_ACCENT}
          hasPrivacy={draft.privacyUrl !== ''}
          hasSupport={draft.supportUrl !== ''}
        />
      </div>
    </Card>
  );
}

function toDraft(account: Account): Draft {
  return {
    displayName: account.display_name ?? '',
    accent: account.accent_color ?? '',
    privacyUrl: account.privacy_url ?? '',
    supportUrl: account.support_url ?? '',
    logo: undefined,
  };
}

/** Only what differs; an empty field removes a value. */
function toChange(draft: Draft, account: Account): AccountChange {
  const before = toDraft(account);
  return {
    ...(draft.displayName !== before.displayName && { display_name: draft.displayName || null }),
    ...(draft.accent !== before.accent && { accent_color: draft.accent || null }),
    ...(draft.privacyUrl !== before.privacyUrl && { privacy_url: draft.privacyUrl || null }),
    ...(draft.supportUrl !== before.supportUrl && { support_url: draft.supportUrl || null }),
    ...(draft.logo !== undefined && { logo: draft.logo }),
  };
}

/** The problem of a chosen logo; null if there is none. */
function checkLogo({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (!LOGO_TYPES.includes(type)) return words.logoType;
  return size > MAX_LOGO_BYTES ? words.logoSize(Math.ceil(size / 1024)) : null;
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
