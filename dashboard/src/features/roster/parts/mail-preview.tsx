import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Shape } from '../../../shared/ui/states.tsx';
import { previewQuery } from '../queries.ts';
import { type MailPart, readMail } from '../read-mail.ts';
import styles from '../roster.module.css';
import { words } from '../words.ts';

const TYPING_MS = 300; // a call per pause, not per letter

type Props = { readonly email: string; readonly name: string; readonly message: string };

/** The mail as the person will get it; it follows the form. */
export function MailPreview({ email, name, message }: Props) {
  const preview = useQuery(previewQuery(useSettled({ name, message })));
  return (
    <section className={styles.preview} aria-label={words.preview}>
      <h3>{words.preview}</h3>
      <Loaded query={preview} what={words.previewFailed} shapes={<Shape height={300} radius={8} />}>
        {(mail) => (
          <>
            {!mail.is_mail_on && <Callout tone="warn">{words.noMail}</Callout>}
            <div className={styles.mail}>
              <Facts
                facts={[
                  [words.from, mail.from_name],
                  [words.to, email === '' ? words.anybody : email],
                  [words.subject, <b key="subject">{mail.subject}</b>],
                ]}
              />
              <div className={styles.letter}>
                {readMail(mail.text).map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity and are always drawn together
                  <Part key={index} part={part} accent={mail.accent_color} isFirst={isFirstLink(mail.text, part)} />
                ))}
              </div>
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The first link of the mail is its button. */
function isFirstLink(text: string, part: MailPart): boolean {
  const first = readMail(text).find(({ kind }) => kind === 'link');
  return part.kind === 'link' && first?.kind === 'link' && first.url === part.url;
}

function Part({ part, accent, isFirst }: { part: MailPart; accent: string | null; isFirst: boolean }) {
  switch (part.kind) {
    case 'list':
      return (
        <ul>
          {part.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    case 'quote':
      return <blockquote>{part.text}</blockquote>;
    case 'link':
      return (
        <p>
          <span
            className={isFirst ? styles.mailButton : styles.mailLink}
            style={isFirst && accent !== null ? { background: accent } : undefined}
          >
            {part.label}
          </span>
        </p>
      );
    case 'footer':
      return <p className={styles.mailFooter}>{part.text}</p>;
    case 'text':
      return <p>{part.text}</p>;
  }
}

/** The typed texts, once typing pauses. Empty texts are not sent. */
function useSettled({ name, message }: { name: string; message: string }) {
  const [settled, setSettled] = useState({ name, message });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ name, message }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [name, message]);
  return {
    ...(settled.name !== '' && { name: settled.name }),
    ...(settled.message !== '' && { message: settled.message }),
  };
}
