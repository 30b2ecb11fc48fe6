/** Solutions of the track soap. */

import { envelope, operation, type VersionName, versions } from '../../support/soap.js';
import type { Call, Solutions } from './solution.js';

type Values = Readonly<Record<string, string | number>>;

interface Operation {
  readonly version?: VersionName;
  readonly path?: string;
  readonly action?: string;
  readonly header?: string;
}

function invoke(call: Call, name: string, values: Values, more: Operation = {}) {
  const { version = '1.2', path = 'calculator', action, header = '' } = more;
  return call(`POST /api/soap/${path}`, {
    headers: {
      'Content-Type': versions[version].contentType,
      ...(action !== undefined && { SOAPAction: action }),
    },
    body: envelope(version, operation(name, values), header),
  });
}

const both = { intA: 12, intB: 4 };
const old = { version: '1.1', action: '"http://tempuri.org/Add"' } as const;
const countries = { path: 'countries' };
const pay = (more: string) => `<e:Header><t:Pay xmlns:t="urn:pay"${more}/></e:Header>`;

export const soapSolutions: Solutions = {
  'soap-wsdl': {
    solve: (call) => call('GET /api/soap/calculator?wsdl'),
    misses: [[/Add \?wsdl/, (call) => call('GET /api/soap/calculator')]],
  },
  'soap-add': {
    solve: (call) => invoke(call, 'Add', both, old),
    misses: [
      [/no SOAPAction/, (call) => invoke(call, 'Add', both, { version: '1.1' })],
      [/text\/xml/, (call) => invoke(call, 'Add', both)],
      [
        /double quotes/,
        (call) => invoke(call, 'Add', both, { ...old, action: 'http://tempuri.org/Add' }),
      ],
    ],
  },
  'soap-12': {
    solve: (call) => invoke(call, 'Multiply', both),
    misses: [
      [/application\/soap\+xml/, (call) => invoke(call, 'Multiply', both, { version: '1.1' })],
      [/not call Multiply/, (call) => invoke(call, 'Add', both)],
    ],
  },
  'soap-fault': {
    async solve(call) {
      await invoke(call, 'Divide', { intA: 1, intB: 0 });
      await invoke(call, 'Divide', both);
    },
    misses: [[/intB is not 0/, (call) => invoke(call, 'Divide', both)]],
  },
  'soap-missing': {
    async solve(call) {
      await invoke(call, 'Subtract', { intA: 1 });
      await invoke(call, 'Subtract', both);
    },
    misses: [[/no fault/, (call) => invoke(call, 'Subtract', both)]],
  },
  'soap-country': {
    solve: (call) => invoke(call, 'GetCountryInfo', { countryCode: 'NO' }, countries),
    misses: [
      [/not NO/, (call) => invoke(call, 'GetCountryInfo', { countryCode: 'SE' }, countries)],
    ],
  },
  'soap-list': {
    solve: (call) => invoke(call, 'ListCountries', {}, countries),
    misses: [
      [/not call/, (call) => invoke(call, 'GetCountryInfo', { countryCode: 'NO' }, countries)],
    ],
  },
  'soap-must-understand': {
    solve: (call) => invoke(call, 'Add', both, { header: pay(' e:mustUnderstand="true"') }),
    misses: [
      [/is optional/, (call) => invoke(call, 'Add', both, { header: pay('') })],
      [/no Header/, (call) => invoke(call, 'Add', both)],
    ],
  },
  'soap-security': {
    async solve(call) {
      const { soap12 } = (await call('GET /api/soap/secure')).json;
      const headers = { 'Content-Type': soap12.contentType };
      await call('POST /api/soap/secure', { headers, body: soap12.sample });
    },
    misses: [[/no Security header/, (call) => invoke(call, 'Add', both, { path: 'secure' })]],
  },
};
