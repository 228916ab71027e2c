import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../api/client.ts';
import { useSession } from '../shared/session/session.ts';
import { HiddenText } from '../shared/ui/hidden-text.tsx';
import { Icon } from '../shared/ui/icon.tsx';
import { Menu, MenuNote } from '../shared/ui/menu.tsx';
import styles from './member-menu.module.css';

export function MemberMenu() {
  const member = useSession()?.member;
  const signOut = useSignOut();
  if (member === undefined) return <span className={styles.face} aria-hidden="true" />;
  return (
    <Menu
      face={
        <span className={styles.face}>
          {initialsOf(member.name)}
          <HiddenText> {member.name}, your menu</HiddenText>
        </span>
      }
      side="start"
      opensUp
    >
      <MenuNote>
        <b>{member.name}</b>
        {member.email}
      </MenuNote>
      <button type="button" onClick={() => void signOut()}>
        <Icon name="exit" size={16} />
        Sign out
      </button>
    </Menu>
  );
}

export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  const queries = useQueryClient();
  return async () => {
    await api.delete('/session', { isOfAnyAccount: true });
    await router.navigate({ to: '/sign-in', search: {} });
    queries.clear();
  };
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((word) => word?.slice(0, 1).toUpperCase()).join('');
}
