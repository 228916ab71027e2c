import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole } from '../../shared/session/session.ts';
import { Callout } from '../../shared/ui/callout.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Empty, Failure, Shape } from '../../shared/ui/states.tsx';
import { useUserId } from '../../shared/user/head.ts';
import styles from './import.module.css';
import { type Chosen, FileForm } from './parts/file-form.tsx';
import { ImportProgress } from './parts/import-progress.tsx';
import { ImportResult } from './parts/import-result.tsx';
import { type FileImport, importQuery, isUnderWay, pathOf } from './queries.ts';
import { sendFile } from './send-file.ts';
import { words } from './words.ts';

export function ImportPage() {
  const query = useQuery(importQuery(useEnvironment(), useUserId()));
  const canImport = useHasRole('developer');
  const upload = useUpload();
  return (
    <Loaded query={query} what={words.notLoaded} shapes={<Shape height={280} radius={12} />}>
      {({ current, is_busy_elsewhere: isBusyElsewhere }) => {
        const shown = upload.state ?? current;
        return (
          <div className={styles.parts}>
            {upload.error !== null && <Failure error={upload.error} what={words.uploadFailed} />}
            {shown !== null && isUnderWay(shown) ? (
              <ImportProgress
                current={shown}
                isOwn={upload.state !== null}
                canCancel={canImport}
                onCancel={() => upload.cancel(shown)}
              />
            ) : (
              canImport && (
                <Card title={words.title}>
                  {isBusyElsewhere && <Callout tone="warn">{words.busyElsewhere}</Callout>}
                  <FileForm isBusy={upload.isStarting} isDisabled={isBusyElsewhere} onStart={upload.start} />
                </Card>
              )
            )}
            {current !== null && !isUnderWay(shown) && <ImportResult result={current} />}
            {current === null && !canImport && (
              <Card>
                <Empty title={words.nothingYet}>{words.developersOnly}</Empty>
              </Card>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The upload of this page; the import itself is read from the service. */
function useUpload() {
  const environment = useEnvironment();
  const userId = useUserId();
  const queries = useQueryClient();
  const path = pathOf(environment, userId);
  const [state, setState] = useState<FileImport | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [abort, setAbort] = useState<AbortController | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: importQuery(environment, userId).queryKey });
  const start = async ({ file, timezone, mapping }: Chosen) => {
    const stop = new AbortController();
    setAbort(stop);
    setError(null);
    setStarting(true);
    try {
      await sendFile({ path, file, timezone, mapping, signal: stop.signal, onProgress: setState });
    } catch (failure) {
      if (!stop.signal.aborted) setError(failure);
    } finally {
      await refresh();
      setStarting(false);
      setState(null);
    }
  };
  const cancel = async ({ id }: FileImport) => {
    abort?.abort();
    try {
      await api.delete(`${path}/${id}`);
    } catch (failure) {
      setError(failure);
    }
    await refresh();
  };
  return { state, isStarting, error, start, cancel };
}
