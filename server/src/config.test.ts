import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, loadConfig } from './config.ts';
import { describeDefault, SETTINGS } from './settings.ts';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}

describe('loadConfig', () => {
  it('rejects a mail server URL with ambiguous encryption', () => {
    const read = (url: string) => loadConfig({ TRIBUTARY_SMTP_URL: url }).smtpUrl;
    for (const query of ['', '?starttls=required', '?starttls=optional', '?starttls=never', '?from=a@example.org'])
      assert.equal(read(`smtp://mail.example.org${query}`), `smtp://mail.example.org${query}`);
    for (const url of [
      'smtp://mail.example.org?starttls=',
      'smtp://mail.example.org?starttls=off',
      'smtps://mail.example.org?starttls=optional',
      'smtp://mail.example.org?requireTLS=false',
      'smtp://mail.example.org?ignoreTLS=true',
      'smtp://mail.example.org?service=gmail',
    ])
      assert.throws(() => read(url), /TRIBUTARY_SMTP_URL has /, url);
  });

  it('reads provider credentials, and requires both ID and secret', () => {
    const both = { TRIBUTARY_GOOGLE_HEALTH_CLIENT_ID: ' id ', TRIBUTARY_GOOGLE_HEALTH_CLIENT_SECRET: 'secret' };
    const client = { clientId: 'id', clientSecret: 'secret' };
    assert.deepEqual(loadConfig(both).providerClients, new Map([['google_health', client]]));
    assert.match(problemsOf({ TRIBUTARY_OURA_CLIENT_ID: 'x' })[0] ?? '', /TRIBUTARY_OURA_CLIENT_SECRET is not/);
    assert.match(problemsOf({ TRIBUTARY_OURA_CLIENT_SECRET: 'x' })[0] ?? '', /TRIBUTARY_OURA_CLIENT_ID is not/);
    assert.match(problemsOf({ TRIBUTARY_OUAR_CLIENT_ID: 'x' })[0] ?? '', /is not a setting/);
  });

  it('requires every further credential of a provider that issues more than two', () => {
    const issued = {
      TRIBUTARY_SUUNTO_CLIENT_ID: 'id',
      TRIBUTARY_SUUNTO_CLIENT_SECRET: 'secret',
      TRIBUTARY_SUUNTO_SUBSCRIPTION_KEY: 'key',
      TRIBUTARY_SUUNTO_NOTIFICATION_SECRET: 'signs',
    };
    const extras = { subscription_key: 'key', notification_secret: 'signs' };
    const client = { clientId: 'id', clientSecret: 'secret', extras };
    assert.deepEqual(loadConfig(issued).providerClients, new Map([['suunto', client]]));
    for (const variable of Object.keys(issued)) {
      const [problem = ''] = problemsOf({ ...issued, [variable]: '' });
      assert.match(problem, new RegExp(`is set, but ${variable} is not`));
    }
  });

  it('has a default for every setting', () => {
    const config = loadConfig({});
    assert.equal(config.port, 8080);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.publicUrl, null);
    assert.equal(config.databaseUrl, null);
    assert.equal(config.dataDir, resolve('data'));
    assert.equal(config.defaultForm, 1);
    assert.equal(config.rawRetentionDays, 30);
    assert.equal(config.invitationsPerHour, 500);
    assert.equal(config.logLevel, 'info');
    assert.equal(config.masterKey, null);
    assert.deepEqual(config.trustedProxies, []);
    assert.deepEqual(config.webhookNetworks, []);
  });

  it('reads the default of a setting as if the variable had it', () => {
    const settings = Object.entries(SETTINGS).filter(([, setting]) => 'fallback' in setting);
    assert.ok(settings.length >= 10);
    const unset = new Map(Object.entries(loadConfig({})));
    const set = loadConfig(
      Object.fromEntries(settings.map(([, setting]) => [setting.variable, describeDefault(setting)])),
    );
    for (const [name] of settings) assert.deepEqual(unset.get(name), new Map(Object.entries(set)).get(name), name);
  });

  it('treats an empty or blank variable as not set, and trims values', () => {
    assert.equal(loadConfig({ PORT: '', TRIBUTARY_DEFAULT_FORM: ' ', HOST: ' 0.0.0.0 ' }).host, '0.0.0.0');
    assert.equal(loadConfig({ PORT: '' }).port, 8080);
  });

  it('reads every setting', () => {
    const key = Buffer.alloc(32, 7);
    const config = loadConfig({
      PORT: '0',
      TRIBUTARY_PUBLIC_URL: 'https://health.example//',
      TRIBUTARY_DATA_DIR: 'somewhere',
      DATABASE_URL: 'postgres://user@db.example/tributary',
      TRIBUTARY_DEFAULT_FORM: '2',
      TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
      TRIBUTARY_RAW_RETENTION_DAYS: '0',
      TRIBUTARY_MASTER_KEY: key.toString('hex'),
      TRIBUTARY_SMTP_URL: 'smtps://mail.example:465',
      REDIS_URL: 'rediss://cache.example',
      TRIBUTARY_LOG_LEVEL: 'silent',
      TRIBUTARY_DEXCOM_REGION: 'eu',
      TRIBUTARY_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,,',
      TRIBUTARY_WEBHOOK_NETWORKS: '10.0.0.0/8, fd00::/8,',
      TRIBUTARY_PASS_ON_RESTRICTED: 'oura, polar',
      TRIBUTARY_UNCONFIRMED_PARTS: 'oura.naps,',
    });
    assert.deepEqual([...config.passOnRestricted], ['oura', 'polar']);
    assert.deepEqual([...config.unconfirmedParts], ['oura.naps']);
    assert.equal(config.port, 0);
    assert.equal(config.publicUrl, 'https://health.example');
    assert.equal(loadConfig({ TRIBUTARY_PUBLIC_URL: 'HTTPS://health.example' }).publicUrl, 'https://health.example');
    assert.equal(config.dataDir, resolve('somewhere'));
    assert.equal(config.defaultForm, 2);
    assert.equal(config.allowPrivateWebhooks, true);
    assert.equal(config.rawRetentionDays, 0);
    assert.equal(config.dexcomRegion, 'eu');
    assert.equal(
      config.masterKey?.fingerprint,
      loadConfig({ TRIBUTARY_MASTER_KEY: key.toString('base64') }).masterKey?.fingerprint,
    );
    assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '192.0.2.1']);
    assert.deepEqual(config.webhookNetworks, ['10.0.0.0/8', 'fd00::/8']);
  });

  it('rejects each invalid value with its name and the allowed values', () => {
    const bad: Record<string, string[]> = {
      PORT: ['-1', '65536', '80.5', 'http', '0x50', '1e3'],
      TRIBUTARY_PUBLIC_URL: ['health.example', 'ftp://health.example', '/v1', 'https://ada:hunter2@health.example'],
      DATABASE_URL: ['localhost', 'mysql://db.example/x'],
      TRIBUTARY_DEFAULT_FORM: ['0', '3', 'one'],
      TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: ['true', 'yes', '2'],
      TRIBUTARY_WEBHOOK_NETWORKS: [
        '1',
        'true',
        '10.0.0.0/33',
        'fd00::/129',
        'internal',
        '10.0.0.0/8 fd00::/8',
        '10.0.0/8',
      ],
      TRIBUTARY_RAW_RETENTION_DAYS: ['-1', '4000', 'forever'],
      TRIBUTARY_MASTER_KEY: ['short', Buffer.alloc(31).toString('base64'), 'g'.repeat(64)],
      TRIBUTARY_SMTP_URL: ['mail.example', 'https://mail.example'],
      REDIS_URL: ['http://cache.example'],
      TRIBUTARY_LOG_LEVEL: ['verbose', 'INFO'],
      TRIBUTARY_PASS_ON_RESTRICTED: ['fitbit', 'oura;polar', 'OURA'],
      TRIBUTARY_DEXCOM_REGION: ['EU', 'de'],
    };
    for (const [variable, values] of Object.entries(bad)) {
      for (const value of values) {
        const problems = problemsOf({ [variable]: value });
        assert.equal(problems.length, 1, `${variable}=${value}`);
        assert.ok(problems[0]?.startsWith(`${variable} `), String(problems[0]));
      }
    }
  });

  it('reads the collector of traces', () => {
    const config = loadConfig({
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%3D%2Cb, x-team = health',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    assert.deepEqual(config.otlpHeaders, { authorization: 'Bearer a=,b', 'x-team': 'health' });
    assert.equal(config.traceSampleRatio, 0.25);
    for (const text of ['2', '1.5', '-1', 'x'])
      assert.match(problemsOf({ OTEL_TRACES_SAMPLER_ARG: text }).join(), /from 0 to 1/);
    const problem = problemsOf({ OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' }).join();
    assert.match(problem, /NAME=VALUE/);
    assert.ok(!problem.includes('hunter2'));
    assert.match(problemsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }).join(), /http:\/\/ or https:\/\//);
  });

  it('never repeats a secret', () => {
    assert.ok(!problemsOf({ TRIBUTARY_MASTER_KEY: 'almost-a-secret' }).join().includes('almost-a-secret'));
    assert.ok(!problemsOf({ DATABASE_URL: 'mysql://user:hunter2@db.example/x' }).join().includes('hunter2'));
    assert.ok(!problemsOf({ TRIBUTARY_PUBLIC_URL: 'https://ada:hunter2@health.example' }).join().includes('hunter2'));
  });

  it('rejects settings of an own database without its URL, because the embedded one would be used', () => {
    const settings = {
      TRIBUTARY_MIGRATION_DATABASE_URL: 'postgresql://o:hunter2@db.example/x',
      TRIBUTARY_CITUS_NODES: 'a:1',
    };
    const problems = problemsOf(settings);
    assert.equal(problems.length, 2);
    for (const [index, variable] of Object.keys(settings).entries())
      assert.match(
        problems[index] ?? '',
        new RegExp(`^${variable} is set, but DATABASE_URL is not, .* Set DATABASE_URL, or`),
      );
    assert.ok(!problems.join().includes('hunter2'));
    assert.deepEqual(problemsOf({ ...settings, DATABASE_URL: 'postgresql://u@db.example/x' }), []);
    const wrong = problemsOf({ ...settings, DATABASE_URL: 'mysql://u@db.example/x' });
    assert.equal(wrong.length, 1, 'one message for one mistake');
    assert.deepEqual(problemsOf({ TRIBUTARY_MIGRATION_DATABASE_URL: ' ' }), [], 'not set');
  });

  it('lists all problems at once, misspelt variables first', () => {
    const problems = problemsOf({ TRIBUTARY_PUBLIC_ULR: 'x', PORT: 'x', TRIBUTARY_DEFAULT_FORM: '9', TRIBUTARY_: '' });
    assert.equal(problems.length, 4);
    assert.match(problems[0] ?? '', /^TRIBUTARY_PUBLIC_ULR is not a setting\. .*TRIBUTARY_PUBLIC_URL/);
    assert.match(new ConfigError(problems).message, /^The configuration has problems:\n {2}- TRIBUTARY_PUBLIC_ULR/);
  });

  it('ignores variables of other programs', () => {
    assert.deepEqual(problemsOf({ TRIBUTARIES: 'x', HOME: '/', MY_TRIBUTARY_X: '1' }), []);
  });

  it('ignores variables of clients', () => {
    assert.deepEqual(problemsOf({ TRIBUTARY_URL: 'http://127.0.0.1:8080', TRIBUTARY_API_KEY: 'sk_sandbox_x' }), []);
  });

  it('describes every setting', () => {
    for (const setting of Object.values(SETTINGS))
      assert.ok(setting.about.length > 10 && describeDefault(setting).length > 0);
  });
});
