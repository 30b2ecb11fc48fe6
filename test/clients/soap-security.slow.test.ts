import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClientAsync, WSSecurity } from 'soap';
import { describe, expect, test } from 'vitest';
import { foreignProgram, testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { versionNames } from '../support/soap.js';

const service = useService();
const securePath = '/api/soap/secure';
const wsdl = () => `${service.url}${securePath}?wsdl`;
const wsdlOfOptional = () => `${wsdl()}&timestamp=optional`;
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe.each(versionNames)('node soap over SOAP %s', (version) => {
  const call = async (
    password: string,
    options: ConstructorParameters<typeof WSSecurity>[2],
    url = wsdl(),
  ) => {
    const client = await createClientAsync(url, { forceSoap12Headers: version === '1.2' });
    client.setSecurity(new WSSecurity('ada', password, options));
    const sum = async () => (await client.AddAsync({ intA: 2, intB: 3 }))[0].AddResult;
    return [await sum(), await sum()];
  };

  test.each([
    ['PasswordText', { passwordType: 'PasswordText' }],
    ['PasswordText with a nonce', { passwordType: 'PasswordText', hasNonce: true }],
    ['PasswordDigest', { passwordType: 'PasswordDigest' }],
    ['mustUnderstand', { passwordType: 'PasswordDigest', mustUnderstand: 1 }],
  ])('logs in with %s', async (_name, options) => {
    expect(await call('ada-secret', options)).toEqual([5, 5]);
  });

  test.each([
    ['PasswordText', { passwordType: 'PasswordText', hasTimeStamp: false }],
    ['PasswordDigest', { passwordType: 'PasswordDigest', hasTimeStamp: false }],
    ['a Timestamp', { passwordType: 'PasswordDigest' }],
  ])('logs in where a Timestamp is optional, with %s', async (_name, options) => {
    expect(await call('ada-secret', options, wsdlOfOptional())).toEqual([5, 5]);
  });

  test.each([
    ['a wrong password', 'wrong', {}, /FailedAuthentication/],
    ['no Timestamp', 'ada-secret', { hasTimeStamp: false }, /InvalidSecurity.*has no Timestamp/],
  ])('gets a fault for %s', async (_name, password, options, fault) => {
    const digest = { passwordType: 'PasswordDigest', ...options };
    await expect(call(password, digest)).rejects.toThrow(fault);
  });
});

test('strong-soap reads the WSDL with its policy', async () => {
  const { soap } = createRequire(import.meta.url)('strong-soap');
  const client = await promisify(soap.createClient)(wsdl(), {});
  expect(Object.keys(client.describe().SecureCalculator)).toHaveLength(2);
});

const suds = foreignProgram('suds');
suds.test('suds reads the WSDL with its policy', async () => {
  const program =
    'import sys, suds.client; print(suds.client.Client(sys.argv[1]).service.Add.method.name)';
  const printed = await promisify(execFile)(suds.command, ['-c', program, wsdl()]);
  expect(printed.stdout.trim()).toBe('Add');
});

suds.test('suds logs in without a Timestamp where it is optional', async () => {
  const program = `
import sys, suds.client, suds.wsse
client = suds.client.Client(sys.argv[1])
security = suds.wsse.Security()
security.tokens.append(suds.wsse.UsernameToken('ada', 'ada-secret'))
client.set_options(wsse=security)
print(client.service.Add(2, 3))`;
  const printed = await promisify(execFile)(suds.command, ['-c', program, wsdlOfOptional()]);
  expect(printed.stdout.trim()).toBe('5');
});

const zeep = foreignProgram('zeep');
async function callByZeep(url: string, cases: readonly object[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const python = execFile(zeep.command, [script('soap-security-zeep.py')], (error, output) => {
      if (error) reject(error);
      else resolve(JSON.parse(output));
    });
    python.stdin?.end(JSON.stringify({ wsdl: url, cases }));
  });
}

zeep.test('zeep logs in without a Timestamp where it is optional', async () => {
  const cases = ['SecureCalculatorSoap', 'SecureCalculatorSoap12'].flatMap((port) =>
    [false, true].map((digest) => ({ port, digest, password: 'ada-secret', lifetime: null })),
  );
  const outcomes = await callByZeep(wsdlOfOptional(), [
    ...cases,
    ...cases.map((each) => ({ ...each, lifetime: 60 })),
    ...cases.map((each) => ({ ...each, lifetime: -5 })),
  ]);
  const wrong = 'InvalidSecurity: In the Timestamp, Expires must be later than Created.';
  expect(outcomes).toEqual([...Array(8).fill(5), ...Array(4).fill(wrong)]);
});

zeep.test('zeep logs in, and gets faults', async () => {
  const ports = ['SecureCalculatorSoap', 'SecureCalculatorSoap12'];
  const right = { password: 'ada-secret', lifetime: 60 };
  const cases = ports.flatMap((port) => [
    { ...right, port, digest: false },
    { ...right, port, digest: true },
    { ...right, port, digest: true, password: 'wrong' },
    { ...right, port, digest: true, lifetime: null },
    { ...right, port, digest: true, lifetime: -5 },
  ]);
  const outcomes = await callByZeep(wsdl(), cases);
  const expected = [
    5,
    5,
    expect.stringMatching(/^FailedAuthentication: The digest is wrong/),
    'InvalidSecurity: The Security header has no Timestamp. Send one, or add ?timestamp=optional to the URL.',
    'InvalidSecurity: In the Timestamp, Expires must be later than Created.',
  ];
  expect(outcomes).toEqual([...expected, ...expected]);
});

testsWith('wss4j').test('WSS4J logs in, and gets faults', async () => {
  const jars = ['wss4j', 'xmlsec', 'commons-logging', 'slf4j-api', 'slf4j-nop'];
  const classPath = jars.map((name) => `/usr/share/java/${name}.jar`).join(':');
  const cases = versionNames.flatMap((version) => [
    `text,ada-secret,${version}`,
    `digest,ada-secret,${version}`,
    `digest,wrong,${version}`,
  ]);
  const url = service.url + securePath;
  const args = ['-cp', classPath, script('WsSecurity.java'), url, ...cases];
  const { stdout } = await promisify(execFile)('java', args);
  expect(stdout.trim().split('\n')).toEqual([
    '200 5',
    '200 5',
    expect.stringMatching(/^500 wsse:FailedAuthentication +The digest is wrong/),
    '200 5',
    '200 5',
    expect.stringMatching(/^400 soap:Sender +wsse:FailedAuthentication +The digest is wrong/),
  ]);
});
