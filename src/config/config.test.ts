import { describe, expect, test } from 'vitest';
import { settings } from '#service.js';
import { ConfigError, configFrom, readCommand } from './config.js';

function faultsOf(args: string[], environment: Record<string, string> = {}): readonly string[] {
  try {
    readCommand(settings, args, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('the settings of the program', () => {
  test('have defaults that need nothing', () => {
    expect(readCommand(settings, [], {})).toMatchObject({
      kind: 'start',
      config: {
        port: 3000,
        host: 'localhost',
        baseUrl: undefined,
        logLevel: 'warn',
        trustProxy: false,
      },
    });
  });

  test('come from the environment, where an empty variable counts as none', () => {
    const environment = {
      PORT: '8080',
      HOST: '0.0.0.0',
      BASE_URL: 'https://api.example.com/',
      LOG_LEVEL: 'INFO',
      TRUST_PROXY: '10.0.0.0/8, ::1',
    };
    expect(readCommand(settings, [], environment)).toMatchObject({
      config: {
        port: 8080,
        host: '0.0.0.0',
        baseUrl: 'https://api.example.com',
        logLevel: 'info',
        trustProxy: ['10.0.0.0/8', '::1'],
      },
    });
    expect(readCommand(settings, [], { PORT: '' })).toMatchObject({ config: { port: 3000 } });
  });

  test.each([
    [
      'redis://cache',
      {
        kind: 'server',
        nodes: [{ host: 'cache', port: 6379 }],
        isEncrypted: false,
        database: 0,
      },
    ],
    [
      'rediss://us%40er:p%3Aw@[::1]:7000/12',
      {
        kind: 'server',
        nodes: [{ host: '::1', port: 7000 }],
        isEncrypted: true,
        username: 'us@er',
        password: 'p:w',
        database: 12,
      },
    ],
    [
      'rediss+cluster://:hush@one:7000,two,[::1]:7002',
      {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 7000 },
          { host: 'two', port: 6379 },
          { host: '::1', port: 7002 },
        ],
        isEncrypted: true,
        password: 'hush',
        database: 0,
      },
    ],
    [
      'redis+sentinel://one,two:7000/main/3',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 7000 },
        ],
        group: 'main',
        isEncrypted: false,
        database: 3,
      },
    ],
  ])('find the state at %s', (url, stateUrl) => {
    expect(readCommand(settings, [], { STATE_URL: url })).toMatchObject({ config: { stateUrl } });
  });

  test.each([
    'hush',
    'http://hush',
    'redis://',
    'redis://hush@x/y',
    'redis://x/1/2',
    'redis://x:hush',
    'redis://%ff:hush@x',
    'redis://hush,x',
    'redis://a:hush:c@x',
    'redis+cluster://hush/1',
    'redis+sentinel://hush',
    'redis+hush://x',
    'redis+cluster://hush,,x',
  ])('reject %s as an address of the state without repeating it', (url) => {
    const [line, ...others] = faultsOf(['--state-url', url]);
    expect(line).toMatch(/^--state-url must look like redis:/);
    expect(line).not.toContain('hush');
    expect(others).toEqual([]);
  });

  test('come from flags before the environment, with = or a space', () => {
    const command = readCommand(settings, ['--port=1', '--host', '::1'], { PORT: '2', HOST: 'x' });
    expect(command).toMatchObject({ config: { port: 1, host: '::1' } });
  });

  test.each([
    [['--help'], 'help'],
    [['-h', '--nonsense'], 'help'],
    [['--version'], 'version'],
    [['-v'], 'version'],
    [['help'], 'help'],
    [['help', 'faults'], 'help'],
  ] as const)('%j selects %s', (args, kind) => {
    expect(readCommand(settings, args, {}).kind).toBe(kind);
  });

  test.each([
    [['--port', '70000'], '--port must be an integer from 0 to 65535; got "70000".'],
    [['--port', '1e3'], '--port must be an integer from 0 to 65535; got "1e3".'],
    [['--port='], '--port must be an integer from 0 to 65535; got "".'],
    [['--port'], '--port needs a value; see --help.'],
    [['--prot', '1'], '--prot is not a flag of this program; did you mean --port? see --help.'],
    [['-p', '1'], '-p is not a flag of this program; did you mean --port? see --help.'],
    [['--tls', '1'], '--tls is not a flag of this program; did you mean --tls-port? see --help.'],
    [
      ['db.json'],
      '"db.json" is not expected here; settings are flags. Did you mean --data db.json?',
    ],
    [['port'], '"port" is not expected here; settings are flags. Did you mean --port?'],
    [['serve'], '"serve" is not expected here; settings are flags. Did you mean --serve?'],
    [['-x'], '-x is not a flag of this program; see --help.'],
    [['4000'], '"4000" is not expected here; settings are flags. Did you mean --port 4000?'],
    [['--__proto__', '1'], '--__proto__ is not a flag of this program; see --help.'],
    [['--host', 'a b'], /^--host must be a name or an address.*; got "a b"\.$/],
    [['--base-url', 'example.com'], /^--base-url must be an address.*; got "example.com"\.$/],
    [['--base-url', 'ftp://x'], /^--base-url must be an address.*; got "ftp:\/\/x"\.$/],
    [['--base-url', 'http://x/?q'], /^--base-url must .* without query or fragment; got /],
    [['--log-level', 'loud'], /^--log-level must be one of silent, .*; got "loud"\.$/],
    [['--trust-proxy', '999.1.1.1'], /^--trust-proxy must be true, false, .*; got "999.1.1.1"\.$/],
    [['--trust-proxy', '10.0.0.0/33'], /^--trust-proxy must be/],
    [
      ['--denied-headers', '*'],
      /^--denied-headers must be names of headers separated by commas.*; got "\*"\.$/,
    ],
    [['--denied-headers', 'X-*-Y'], /^--denied-headers must be/],
    [['--denied-headers', 'X-A,'], /^--denied-headers must be/],
    [['--denied-headers', 'X A'], /^--denied-headers must be/],
    [['--denied-headers', 'X-A:'], /^--denied-headers must be/],
    [['--state-prefix', 'a b'], /^--state-prefix must be 1 to 100 letters/],
  ] as const)('%j is rejected with a line that says what would be right', (args, line) => {
    const faults = faultsOf([...args]);
    expect(faults[0]).toEqual(typeof line === 'string' ? line : expect.stringMatching(line));
  });

  test('that are secret are not repeated when they are faulty', () => {
    const [fault] = faultsOf(['--auth-jwt-key', 'hush']);
    expect(fault).toBe('--auth-jwt-key must have at least 32 bytes.');
    expect(() => configFrom(settings, { basicUser: 'hush' })).toThrow(
      /^basicUser must be (?!.*hush)/,
    );
  });

  test.each([
    ['1048576', 1_048_576],
    ['2147483648', 2_147_483_648],
  ])('for captured bytes may be %s', (text, captureBytes) => {
    expect(readCommand(settings, [], { CAPTURE_BYTES: text })).toMatchObject({
      config: { captureBytes },
    });
  });

  test.each(['1048575', '-1', '1e9', '2 GiB'])('for captured bytes may not be %s', (text) => {
    expect(faultsOf([], { CAPTURE_BYTES: text })[0]).toContain('integer of bytes');
  });

  test.each([
    ['MAX_SANDBOXES', '0', 'integer from 1 to 1000000'],
    ['MAX_CONNECTIONS', '1.5', 'integer from 1 to 1000000'],
    ['DRAIN_SECONDS', '-1', 'integer from 0 to 3600'],
    ['STOP_SECONDS', '0', 'integer from 1 to 3600'],
    ['KEEP_ALIVE_SECONDS', '99999', 'integer from 1 to 3600'],
    ['SANDBOX_IDLE_SECONDS', '1h', 'integer from 1 to'],
    ['SANDBOX_BYTES', '1', 'integer of bytes'],
    ['METRICS', 'yes', 'on or off'],
    ['METRICS_TOKEN', 'too short', '16 to 512'],
  ])('%s may not be %s', (variable, text, rule) => {
    expect(faultsOf([], { [variable]: text })[0]).toContain(rule);
  });

  test('for denied headers may be several names', () => {
    const environment = { DENIED_HEADERS: 'X-Internal-*, X_Route' };
    expect(readCommand(settings, [], environment)).toMatchObject({
      config: { deniedHeaders: ['X-Internal-*', 'X_Route'] },
    });
    expect(configFrom(settings, { deniedHeaders: ['a', 'b*'] }).deniedHeaders).toEqual(['a', 'b*']);
    expect(configFrom(settings, {}).deniedHeaders).toEqual([]);
  });

  test('for accounts have defaults, and take words in any letter case', () => {
    expect(readCommand(settings, [], {})).toMatchObject({
      config: { accounts: 'open', accountQuota: 600, signUpsPerHour: 10, maxAccounts: 100_000 },
    });
    const environment = {
      ACCOUNTS: 'Required',
      ACCOUNT_QUOTA: '1',
      SIGN_UPS_PER_HOUR: '1000000000',
    };
    expect(readCommand(settings, [], environment)).toMatchObject({
      config: { accounts: 'required', accountQuota: 1, signUpsPerHour: 1_000_000_000 },
    });
  });

  test.each([
    ['ACCOUNTS', 'yes', 'must be open or required; got "yes"'],
    ['ACCOUNT_QUOTA', '0', 'an integer from 1'],
    ['SIGN_UPS_PER_HOUR', '1.5', 'an integer from 1'],
    ['MAX_ACCOUNTS', '1000000001', 'an integer from 1'],
  ])('%s may not be %s', (variable, text, message) => {
    expect(faultsOf([], { [variable]: text })[0]).toContain(message);
  });

  test('are checked all at once', () => {
    expect(faultsOf(['--nope'], { PORT: 'x', LOG_LEVEL: 'y' })).toEqual([
      '--nope is not a flag of this program; see --help.',
      'PORT must be an integer from 0 to 65535; got "x".',
      expect.stringMatching(/^LOG_LEVEL must be one of .*; got "y"\.$/),
    ]);
  });
});

describe('the options of a service in a program', () => {
  test('default to any free port on the loopback address, in silence', () => {
    expect(configFrom(settings, {})).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      baseUrl: undefined,
      logLevel: 'silent',
      trustProxy: false,
    });
  });

  test('are checked like the settings of the program, all at once', () => {
    const faulty = () => configFrom(settings, { port: -1, baseUrl: 'x', trustProxy: ['nobody'] });
    expect(faulty).toThrow(ConfigError);
    expect(faulty).toThrow(
      /port must .*; got -1\.\nbaseUrl must .*; got "x"\.\ntrustProxy must .*; got \["nobody"\]/,
    );
  });
});
