import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { saveFile } from '../../../shared/ui/save-file.ts';
import { useDate, useViewedUser } from '../day-context.ts';
import { words } from '../words.ts';
import { writeCurl } from '../write-curl.ts';
import styles from './river-card.module.css';

/** The day as a call and as a file. */
export function DayMenu() {
  const { environment, userId, head } = useViewedUser();
  const date = useDate();
  const [said, setSaid] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(writeCurl(location.origin, userId, `from_date=${date}&to_date=${date}`));
    setSaid(words.copied);
  };
  const save = async () => {
    try {
      const text = await api.csv(`/${environment}/users/${userId}/days/${date}/values`);
      saveFile(`${head.user.reference_id}-${date}.csv`, 'text/csv', text);
      setSaid('');
    } catch {
      setSaid(words.csvFailed);
    }
  };
  return (
    <>
      <span role="status" className={styles.said}>
        {said}
      </span>
      <Menu face={<Icon name="more" />} label={words.dayActions} className={styles.more}>
        <button type="button" onClick={() => void copy()}>
          <Icon name="copy" size={15} /> {words.copyCurl}
        </button>
        <button type="button" onClick={() => void save()}>
          <Icon name="download" size={15} /> {words.csvOfDay}
        </button>
      </Menu>
    </>
  );
}
