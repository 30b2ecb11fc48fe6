import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createClientAsync } from 'soap';
import { describe, expect, test } from 'vitest';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';
import { calculatorPath, countriesPath, type VersionName, versions } from '../support/soap.js';

const service = useService();

type Call = readonly [operation: string, parameters: Readonly<Record<string, unknown>>];

/** A client's result for a response: the content of the response, or a fault with its detail. */
interface Outcome {
  readonly value?: unknown;
  readonly fault?: {
    readonly code: string;
    readonly subcode: string | null;
    readonly reason: string;
    readonly detail: Readonly<Record<string, unknown>>;
  };
}

interface Job {
  readonly wsdl: string;
  readonly service: string;
  readonly port: string;
  readonly version: VersionName;
  readonly calls: readonly Call[];
}

interface Report {
  readonly outcomes: readonly Outcome[];
  /** The exchanged envelopes. */
  readonly namespace: string;
}

interface Client {
  readonly name: string;
  readonly versions: readonly VersionName[];
  readonly run: (job: Job) => Report | Promise<Report>;
}

function pythonClient(module: 'suds' | 'zeep', versionNames: readonly VersionName[]): Client[] {
  const { isInstalled, command } = foreignProgram(module);
  if (!isInstalled) return [];
  const script = fileURLToPath(new URL(`soap-${module}.py`, import.meta.url));
  const run = (job: Job) =>
    new Promise<Report>((resolve, reject) => {
      const python = execFile(command, [script], { maxBuffer: 2 ** 24 }, (error, output) => {
        if (error) reject(error);
        else resolve(JSON.parse(output));
      });
      python.stdin?.end(JSON.stringify(job));
    });
  return [{ name: module, versions: versionNames, run }];
}

// biome-ignore lint/suspicious/noExplicitAny: the results of these libraries have no types
type Loose = any;

/** Both Node libraries create an object with a callback method for each operation of each port. */
async function callAll(
  { service: serviceName, port, calls, version }: Job,
  client: Loose,
): Promise<Report> {
  const outcomes: Outcome[] = [];
  for (const [operation, parameters] of calls) {
    outcomes.push(
      await new Promise<Outcome>((resolve, reject) => {
        client[serviceName][port][operation](parameters, (error: Loose, result: Loose) => {
          if (!error) {
            resolve({ value: Object.values(result)[0] });
            return;
          }
          const fault = error.root?.Envelope.Body.Fault;
          if (fault === undefined) reject(error);
          else resolve({ fault: version === '1.1' ? readFault11(fault) : readFault12(fault) });
        });
      }),
    );
  }
  const [, namespace = ''] = /Envelope xmlns:soap="([^"]*)"/.exec(client.lastRequest) ?? [];
  return { outcomes, namespace };
}

const local = (name: string) => name.split(':').at(-1) ?? '';

function readFault11({ faultcode, faultstring, detail }: Loose) {
  const [content] = Object.values(detail) as Loose[];
  return { code: local(faultcode), subcode: null, reason: faultstring, detail: content };
}

function readFault12({ Code, Reason, Detail }: Loose) {
  const [content] = Object.values(Detail) as Loose[];
  const subcode = local(Code.Subcode.Value);
  return { code: local(Code.Value), subcode, reason: Reason.Text.$value, detail: content };
}

const nodeSoap: Client = {
  name: 'node soap',
  versions: ['1.1', '1.2'],
  run: async (job) =>
    callAll(job, await createClientAsync(job.wsdl, { forceSoap12Headers: job.version === '1.2' })),
};

const strongSoap: Client = {
  name: 'strong-soap',
  versions: ['1.1', '1.2'],
  run: async (job) => {
    const { soap } = createRequire(import.meta.url)('strong-soap');
    const client = await new Promise((resolve, reject) => {
      soap.createClient(job.wsdl, {}, (error: unknown, created: unknown) =>
        error ? reject(error) : resolve(created),
      );
    });
    return callAll(job, client);
  },
};

const clients: readonly Client[] = [
  nodeSoap,
  strongSoap,
  ...pythonClient('zeep', ['1.1', '1.2']),
  // It parses both ports of a WSDL, but supports only the envelope of SOAP 1.1.
  ...pythonClient('suds', ['1.1']),
];

const uses = clients.flatMap((client) =>
  client.versions.map((version) => [client.name, version, client] as const),
);

describe.each(uses)('%s over SOAP %s', (_name, version, client) => {
  const run = (path: string, serviceName: string, calls: readonly Call[]) =>
    client.run({
      wsdl: `${service.url}${path}?wsdl`,
      service: serviceName,
      port: `${serviceName}Soap${version === '1.2' ? '12' : ''}`,
      version,
      calls,
    });

  test('imports the calculator, calls every operation and gets typed faults', async () => {
    const { outcomes, namespace } = await run(calculatorPath, 'Calculator', [
      ['Add', { intA: 2147483646, intB: 1 }],
      ['Subtract', { intA: -2147483647, intB: 1 }],
      ['Multiply', { intA: -7, intB: 6 }],
      ['Divide', { intA: -7, intB: 2 }],
      ['Divide', { intA: 7, intB: 0 }],
      ['Multiply', { intA: 65536, intB: 65536 }],
    ]);
    expect(namespace).toBe(versions[version].namespace);
    expect(outcomes.slice(0, 4)).toEqual([
      { value: 2147483647 },
      { value: -2147483648 },
      { value: -42 },
      { value: -3 },
    ]);
    const [divisionByZero, overflow] = outcomes.slice(4);
    expect(divisionByZero?.fault).toMatchObject({
      code: version === '1.1' ? 'Server' : 'Receiver',
      subcode: version === '1.1' ? null : 'DivisionByZero',
      reason: '7 cannot be divided by zero: intB must be another number.',
    });
    expect(Number(divisionByZero?.fault?.detail.Dividend)).toBe(7);
    expect(overflow?.fault).toMatchObject({
      code: version === '1.1' ? 'Client' : 'Sender',
      subcode: version === '1.1' ? null : 'Overflow',
      detail: { ExactResult: '4294967296' },
    });
  });

  test('imports the countries, calls every operation and gets typed faults', async () => {
    const { outcomes, namespace } = await run(countriesPath, 'Countries', [
      ['GetCountryInfo', { countryCode: 'de' }],
      ['GetCountryInfo', { countryCode: 'BRA' }],
      ['ListCountries', {}],
      ['GetCountryInfo', { countryCode: 'ZZ' }],
    ]);
    expect(namespace).toBe(versions[version].namespace);
    const [germany, brazil, list, unknown] = outcomes;
    expect(germany?.value).toEqual({
      Code: 'DE',
      Name: 'Germany',
      Capital: 'Berlin',
      Currency: 'EUR',
      PhoneCode: '+49',
      Continent: 'Europe',
      Population: expect.any(Number),
    });
    expect(brazil?.value).toMatchObject({ Code: 'BR', Capital: 'Brasília' });
    const listed = list?.value as { Country?: unknown[] };
    const countries = Array.isArray(listed) ? listed : listed.Country;
    expect(countries?.length).toBeGreaterThanOrEqual(195);
    expect(countries).toContainEqual({ Code: 'JP', Name: 'Japan' });
    expect(unknown?.fault).toMatchObject({
      code: version === '1.1' ? 'Client' : 'Sender',
      subcode: version === '1.1' ? null : 'CountryNotFound',
      reason: expect.stringMatching(/^No country has the code 'ZZ'\./),
      detail: { CountryCode: 'ZZ' },
    });
  });
});

foreignProgram('suds').describe('suds', () => {
  test('calls the port for SOAP 1.2 too, with the envelope of SOAP 1.1', async () => {
    const [suds] = pythonClient('suds', []);
    const report = await suds?.run({
      wsdl: `${service.url}${calculatorPath}?wsdl`,
      service: 'Calculator',
      port: 'CalculatorSoap12',
      version: '1.1',
      calls: [['Add', { intA: 1, intB: 2 }]],
    });
    expect(report).toEqual({ outcomes: [{ value: 3 }], namespace: versions['1.1'].namespace });
  });
});

test('node soap sends a header, which the service ignores unless it has mustUnderstand', async () => {
  const client = await createClientAsync(`${service.url}${calculatorPath}?wsdl`);
  client.addSoapHeader('<t:Trace xmlns:t="urn:trace">7</t:Trace>');
  const [result] = await client.AddAsync({ intA: 1, intB: 2 });
  expect(result).toEqual({ AddResult: 3 });
  client.addSoapHeader('<t:Trace xmlns:t="urn:trace" soap:mustUnderstand="1">7</t:Trace>');
  await expect(client.AddAsync({ intA: 1, intB: 2 })).rejects.toThrow('soap:MustUnderstand');
});
