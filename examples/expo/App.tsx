import { openBrowserAsync } from 'expo-web-browser';
import { useEffect, useState } from 'react';
import { Button, SafeAreaView, Text } from 'react-native';
import { type AppState, createHealthApp } from './src/health-app.ts';
import { openHealth, openStorage } from './src/phone.ts';

// The addresses of your backend and of the service, as the phone reaches them.
const BACKEND_URL = 'http://127.0.0.1:3001';
const SERVICE_URL = 'http://127.0.0.1:8080';

type HealthApp = ReturnType<typeof createHealthApp>;

export function App() {
  const [app, setApp] = useState<HealthApp | null>(null);
  const [state, setState] = useState<AppState | null>(null);
  const [error, setError] = useState('');
  const run = (work: Promise<unknown>) => {
    setError('');
    work.catch((failure: Error) => setError(failure.message));
  };

  useEffect(() => {
    const start = async () => {
      const places = { backendUrl: BACKEND_URL, serviceUrl: SERVICE_URL, storage: openStorage() };
      const created = createHealthApp({ ...places, health: await openHealth(), onChange: setState });
      setApp(created);
      await created.open();
    };
    start().catch((failure: Error) => setError(failure.message));
  }, []);

  if (app === null || state === null) return <Text>{error || 'Starting…'}</Text>;
  const today = new Date().toISOString().slice(0, 10);
  return (
    <SafeAreaView style={{ padding: 24 }}>
      {state.isSignedIn ? (
        <>
          <Text>{state.pending === 0 ? 'Everything is sent.' : `${state.pending} items wait to be sent.`}</Text>
          <Text>Last upload: {state.lastUpload ?? 'none yet'}</Text>
          <Button title="Send now" onPress={() => run(app.sync())} />
          <Button title="Connect a provider" onPress={() => run(app.connect().then(openBrowserAsync))} />
          <Button title="Show today" onPress={() => run(app.readDay(today))} />
          {Object.entries(state.day).map(([metric, value]) => (
            <Text key={metric}>{`${metric}: ${value ?? 'no value'}`}</Text>
          ))}
          <Button title="Sign out" onPress={() => run(app.signOut())} />
        </>
      ) : (
        <Button title="Sign in" onPress={() => run(app.signIn('example-expo'))} />
      )}
      <Text>{error || state.message}</Text>
    </SafeAreaView>
  );
}
