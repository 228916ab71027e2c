import { api } from '../api/client.ts';
import { useSession } from '../shared/session/session.ts';
import { Icon } from '../shared/ui/icon.tsx';
import { Menu, MenuNote } from '../shared/ui/menu.tsx';
import { Shape } from '../shared/ui/states.tsx';
import styles from './account-menu.module.css';

/** The account of the session; with several, a menu that switches. */
export function AccountMenu() {
  const session = useSession();
  if (session === undefined)
    return (
      <div className={styles.account}>
        <Shape width={120} height={16} />
      </div>
    );
  const name = session.account.display_name ?? session.account.name;
  const face = (
    <span className={styles.account}>
      <span className={styles.logo} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles.name}>{name}</span>
      {session.accounts.length > 1 && <Icon name="down" size={13} />}
    </span>
  );
  if (session.accounts.length < 2) return face;
  return (
    <Menu face={face} side="start">
      <MenuNote>Switch to another account</MenuNote>
      {session.accounts.map((account) => (
        <button
          key={account.id}
          type="button"
          aria-current={account.id === session.account.id ? 'true' : undefined}
          onClick={() => void switchAccount(account.id)}
        >
          {account.name}
          {account.id === session.account.id && <Icon name="check" size={14} />}
        </button>
      ))}
    </Menu>
  );
}

/** Everything on screen belongs to the old account, so the page starts again. */
async function switchAccount(accountId: string): Promise<void> {
  await api.put('/session/account', { account_id: accountId }, { isOfAnyAccount: true });
  window.location.assign('/dashboard');
}
