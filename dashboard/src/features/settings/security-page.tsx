import { useSession } from '../../shared/session/session.ts';
import { Loading } from '../../shared/ui/states.tsx';
import { NameCard } from './parts/name-card.tsx';
import { PasswordCard } from './parts/password-card.tsx';
import { SessionsCard } from './parts/sessions-card.tsx';
import { TotpCard } from './parts/totp-card.tsx';
import styles from './settings.module.css';

/** What belongs to the person, whatever the account. */
export function SecurityPage() {
  const session = useSession();
  if (session === undefined) return <Loading />;
  return (
    <>
      <div className={styles.pairOfCards}>
        <NameCard member={session.member} />
        <PasswordCard />
      </div>
      <TotpCard hasTotp={session.member.has_totp} />
      <SessionsCard />
    </>
  );
}
