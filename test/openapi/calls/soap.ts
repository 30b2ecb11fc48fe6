/** Calls of the SOAP services. */

import { envelope, operation, type VersionName, versions } from '../../support/soap.js';
import type { Caller, CallRequest, CallTable } from '../caller.js';

export const callSoap: CallTable = async (caller) => {
  await callService(caller, 'SoapCalculator', 'Add', { intA: 12, intB: 4 });
  await callService(caller, 'SoapCountries', 'GetCountryInfo', { countryCode: 'JP' });
  await caller.call('postSoapCalculator', 'Division by zero, in SOAP 1.2', {
    ...message('1.2', operation('Divide', { intA: 1, intB: 0 })),
  });
  await callSecurely(caller);
};

async function callSecurely(caller: Caller): Promise<void> {
  const { json } = await caller.call('getSoapSecure', 'The usage');
  for (const { contentType: type, sample, soapAction } of [json.soap11, json.soap12]) {
    const name = soapAction === undefined ? 'SOAP 1.2' : 'SOAP 1.1';
    await caller.call('postSoapSecure', name, { type, body: sample });
    const body = sample.replace('ada-secret', 'wrong');
    await caller.call('postSoapSecure', `A wrong password, in ${name}`, { type, body });
  }
  await caller.call('postSoapSecure', 'Another header with mustUnderstand, in SOAP 1.2', {
    type: json.soap12.contentType,
    body: json.soap12.sample.replace(
      '</wsse:Security>',
      '</wsse:Security><t:Pay xmlns:t="urn:pay" soap:mustUnderstand="true"/>',
    ),
  });
  await caller.call('postSoapSecure', 'No Security header, in SOAP 1.2', {
    ...message('1.2', operation('Add', { intA: 12, intB: 4 })),
  });
  await caller.call('postSoapSecure', 'JSON', { json: {} });
}

async function callService(
  caller: Caller,
  service: string,
  name: string,
  parameters: Readonly<Record<string, string | number>>,
): Promise<void> {
  await caller.call(`get${service}`, 'The usage');
  await caller.call(`get${service}`, 'The WSDL', { query: { wsdl: '' } });
  for (const version of ['1.1', '1.2'] as const) {
    const right = message(version, operation(name, parameters));
    await caller.call(`post${service}`, `SOAP ${version}`, {
      ...right,
      ...(version === '1.1' && { headers: { SOAPAction: `"http://tempuri.org/${name}"` } }),
    });
    await caller.call(`post${service}`, `A missing parameter, in SOAP ${version}`, {
      ...message(version, operation(name, {})),
    });
  }
  const other = message('1.2', operation(name, parameters));
  await caller.call(`post${service}`, 'The envelope of another version', {
    ...other,
    type: versions['1.1'].contentType,
  });
  await caller.call(`post${service}`, 'A header with mustUnderstand, in SOAP 1.2', {
    ...message(
      '1.2',
      operation(name, parameters),
      '<e:Header><t:Pay xmlns:t="urn:pay" e:mustUnderstand="true"/></e:Header>',
    ),
  });
  await caller.call(`post${service}`, 'JSON', { json: {} });
}

function message(version: VersionName, xml: string, header = ''): CallRequest {
  return { type: versions[version].contentType, body: envelope(version, xml, header) };
}
