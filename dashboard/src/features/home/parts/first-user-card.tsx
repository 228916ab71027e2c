import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../shared/live/use-live.ts';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Barcode } from '../../../shared/user/barcode.tsx';
import { DeviceMarks } from '../../../shared/user/device-marks.tsx';
import styles from '../first-steps.module.css';
import { peopleQuery } from '../queries.ts';
import { words } from '../words.ts';

/** Who was just created, with the devices and the last seven days. */
export function FirstUserCard() {
  const query = peopleQuery(useEnvironment());
  const queries = useQueryClient();
  const refresh = () => void queries.invalidateQueries({ queryKey: query.queryKey });
  useLive({ onEvent: refresh, onRequest: ({ method }) => method === 'POST' && refresh() });
  const { data } = useQuery(query);
  const user = data?.users[0];
  if (data === undefined || user === undefined) return null;
  return (
    <Card title={user.reference} badge={<DeviceMarks devices={user.devices} />}>
      <div className={styles.user}>
        <p className={styles.note}>{words.firstUser}</p>
        {user.devices.length > 0 && <Barcode user={user} coverage={data.coverage} />}
        <EnvironmentLink path={`users/${user.id}`} className={buttonClass('first')}>
          {words.openUser(user.reference)}
        </EnvironmentLink>
      </div>
    </Card>
  );
}
