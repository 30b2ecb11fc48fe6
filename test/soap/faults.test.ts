import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import {
  calculatorPath,
  countriesPath,
  envelope,
  fieldsOf,
  operation,
  postSoap,
  type VersionName,
  versionNames,
  versions,
} from '../support/soap.js';

const service = useService();

interface FaultCase {
  readonly name: string;
  readonly path?: string;
  readonly message: (version: VersionName) => string | Uint8Array;
  /** Leaves the encoding to the XML declaration. */
  readonly isCharsetUnsaid?: true;
  /** Documents in SOAP 1.1, and in SOAP 1.2. */
  readonly codes: readonly [string, string];
  readonly subcode?: string;
  /** The reason of the fault, in both versions. */
  readonly reason: RegExp;
  /** The fields inside the element of the detail, which is named like the subcode. */
  readonly detail?: Readonly<Record<string, string>>;
}

const add = (parameters: Readonly<Record<string, string | number>>) => operation('Add', parameters);
const addOneTwo = add({ intA: 1, intB: 2 });
const client = ['Client', 'Sender'] as const;
const server = ['Server', 'Receiver'] as const;
const inEnvelope = (xml: string, header?: string) => (version: VersionName) =>
  envelope(version, xml, header);
const withHeader = (entries: string) => inEnvelope(addOneTwo, `<e:Header>${entries}</e:Header>`);
const invalidEnvelope = { codes: client, subcode: 'InvalidEnvelope' };
const badParameters = { codes: client, subcode: 'InvalidParameters' };

const cases: readonly FaultCase[] = [
  {
    name: 'division by zero',
    message: inEnvelope(operation('Divide', { intA: 7, intB: 0 })),
    codes: server,
    subcode: 'DivisionByZero',
    reason: /^7 cannot be divided by zero/,
    detail: { Dividend: '7' },
  },
  {
    name: 'a sum beyond 32 bits',
    message: inEnvelope(add({ intA: 2147483647, intB: 1 })),
    codes: client,
    subcode: 'Overflow',
    reason: /2147483648, does not fit into 32 bits/,
    detail: { ExactResult: '2147483648' },
  },
  {
    name: 'a difference beyond 32 bits',
    message: inEnvelope(operation('Subtract', { intA: -2147483648, intB: 1 })),
    codes: client,
    subcode: 'Overflow',
    reason: /-2147483649, does not fit/,
    detail: { ExactResult: '-2147483649' },
  },
  {
    name: 'a product beyond 32 bits, which it names exactly',
    message: inEnvelope(operation('Multiply', { intA: -2147483648, intB: 2147483647 })),
    codes: client,
    subcode: 'Overflow',
    reason: /-4611686016279904256, does not fit/,
    detail: { ExactResult: '-4611686016279904256' },
  },
  {
    name: 'the one quotient beyond 32 bits',
    message: inEnvelope(operation('Divide', { intA: -2147483648, intB: -1 })),
    codes: client,
    subcode: 'Overflow',
    reason: /2147483648, does not fit/,
    detail: { ExactResult: '2147483648' },
  },
  {
    name: 'an unknown country',
    path: countriesPath,
    message: inEnvelope(operation('GetCountryInfo', { countryCode: 'ZZ' })),
    codes: client,
    subcode: 'CountryNotFound',
    reason: /'ZZ'.*DE or DEU/,
    detail: { CountryCode: 'ZZ' },
  },
  {
    name: 'a country code that is valid only after uppercasing',
    path: countriesPath,
    message: inEnvelope(operation('GetCountryInfo', { countryCode: '\ufb01' })),
    codes: client,
    subcode: 'CountryNotFound',
    reason: /No country has the code/,
    detail: { CountryCode: '\ufb01' },
  },
  {
    name: 'an empty country code',
    path: countriesPath,
    message: inEnvelope(operation('GetCountryInfo', { countryCode: ' ' })),
    ...badParameters,
    reason: /^GetCountryInfo: countryCode is empty\.$/,
  },
  {
    name: 'an unknown operation',
    message: inEnvelope(operation('Modulo', { intA: 1, intB: 2 })),
    codes: client,
    subcode: 'UnknownOperation',
    reason: /'Modulo'.*one of Add, Subtract, Multiply, Divide/,
    detail: { Namespace: 'http://tempuri.org/', Name: 'Modulo', Operation: 'Divide' },
  },
  {
    name: 'an operation of the other service',
    path: countriesPath,
    message: inEnvelope(addOneTwo),
    codes: client,
    subcode: 'UnknownOperation',
    reason: /Countries supports one of GetCountryInfo, ListCountries/,
  },
  {
    name: 'an operation named like a member of Object.prototype',
    message: inEnvelope('<constructor xmlns="http://tempuri.org/"/>'),
    codes: client,
    subcode: 'UnknownOperation',
    reason: /'constructor'/,
  },
  {
    name: 'an operation in the wrong namespace',
    message: inEnvelope('<Add xmlns="http://example.com/"><intA>1</intA><intB>2</intB></Add>'),
    codes: client,
    subcode: 'UnknownOperation',
    reason:
      /'Add' in the namespace 'http:\/\/example\.com\/'.*Add in the namespace 'http:\/\/tempuri/,
    detail: { Namespace: 'http://example.com/', Name: 'Add', Operation: 'Divide' },
  },
  {
    name: 'an operation in no namespace',
    message: inEnvelope('<Add><intA>1</intA><intB>2</intB></Add>'),
    codes: client,
    subcode: 'UnknownOperation',
    reason: /'Add' in no namespace/,
  },
  {
    name: 'parameters in no namespace',
    message: inEnvelope(
      '<m:Add xmlns:m="http://tempuri.org/"><intA>1</intA><intB>2</intB></m:Add>',
    ),
    ...badParameters,
    reason: /intA is 'intA' in no namespace, but must be in 'http:\/\/tempuri\.org\/'.*intB is/,
  },
  {
    name: 'a missing parameter',
    message: inEnvelope(add({ intA: 1 })),
    ...badParameters,
    reason: /^Add: intB is missing\.$/,
  },
  {
    name: 'every invalid parameter at once',
    message: inEnvelope(add({ intA: 'one', intC: 3 })),
    ...badParameters,
    reason:
      /^Add: intA is 'one', but .* intC is not a parameter of Add, which accepts intA, intB\. intB is missing\.$/,
  },
  {
    name: 'a parameter in the wrong letter case',
    message: inEnvelope(add({ inta: 1, intB: 2 })),
    ...badParameters,
    reason: /inta is not intA: names are case-sensitive/,
  },
  {
    name: 'a parameter named like a member of Object.prototype',
    message: inEnvelope(add({ intA: 1, intB: 2, __proto__x: 3, constructor: '4' })),
    ...badParameters,
    reason: /constructor is not a parameter of Add/,
  },
  {
    name: 'a repeated parameter',
    message: inEnvelope(`<Add xmlns="http://tempuri.org/">${'<intA>1</intA>'.repeat(2)}</Add>`),
    ...badParameters,
    reason: /intA is repeated\. intB is missing/,
  },
  {
    name: 'a parameter that contains elements',
    message: inEnvelope(add({ intA: '<b>1</b>', intB: 2 })),
    ...badParameters,
    reason: /intA has elements, but must have text/,
  },
  {
    name: 'a parameter that is nil',
    message: inEnvelope(
      '<Add xmlns="http://tempuri.org/" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><intA i:nil="true"/><intB>2</intB></Add>',
    ),
    ...badParameters,
    reason: /intA is nil, but must have a value/,
  },
  {
    name: 'text beside the parameters',
    message: inEnvelope(`<Add xmlns="http://tempuri.org/"><intA>1</intA>,<intB>2</intB></Add>`),
    ...badParameters,
    reason: /Add has text beside its parameters: ','/,
  },
  {
    name: 'a parameter of an operation without parameters',
    path: countriesPath,
    message: inEnvelope(operation('ListCountries', { region: 'Asia' })),
    ...badParameters,
    reason: /region is not a parameter of ListCountries, which accepts none/,
  },
  {
    name: 'an empty Body',
    message: inEnvelope(' '),
    codes: client,
    subcode: 'InvalidBody',
    reason: /The Body is empty/,
    detail: { Elements: '0' },
  },
  {
    name: 'two operations in one Body',
    message: inEnvelope(addOneTwo.repeat(2)),
    codes: client,
    subcode: 'InvalidBody',
    reason: /The Body holds 2 elements/,
    detail: { Elements: '2' },
  },
  {
    name: 'a request without a body',
    message: () => '',
    codes: client,
    subcode: 'MalformedXml',
    reason: /^The body is empty: send a SOAP Envelope\.$/,
  },
  {
    name: 'truncated XML',
    message: (version) => envelope(version, addOneTwo).slice(0, -5),
    codes: client,
    subcode: 'MalformedXml',
    reason: /not well-formed XML: .*line 1, column \d+/,
  },
  {
    name: 'JSON',
    message: () => '{"intA": 1, "intB": 2}',
    codes: client,
    subcode: 'MalformedXml',
    reason: /not well-formed XML/,
  },
  {
    name: 'an undefined entity',
    message: inEnvelope(add({ intA: '&one;', intB: 2 })),
    codes: client,
    subcode: 'MalformedXml',
    reason: /undefined entity/,
  },
  {
    name: 'an undeclared prefix',
    message: inEnvelope('<m:Add/>'),
    codes: client,
    subcode: 'MalformedXml',
    reason: /unbound namespace prefix: "m"/,
  },
  {
    name: 'a document type declaration',
    message: (version) => `<!DOCTYPE a>${envelope(version, addOneTwo)}`,
    codes: client,
    subcode: 'MalformedXml',
    reason: /document type declaration, which SOAP forbids/,
  },
  {
    name: 'a processing instruction',
    message: (version) => `<?go now?>${envelope(version, addOneTwo)}`,
    codes: client,
    subcode: 'MalformedXml',
    reason: /processing instruction, which SOAP forbids/,
  },
  {
    name: 'white space before the XML declaration',
    message: (version) => `\n<?xml version="1.0"?>${envelope(version, addOneTwo)}`,
    codes: client,
    subcode: 'MalformedXml',
    reason: /white space precedes the XML declaration.*XML 1\.0 section 2\.8/,
  },
  {
    name: 'bytes that are not UTF-8',
    message: (version) => Buffer.from(envelope(version, addOneTwo).replace('1', '\xff'), 'latin1'),
    codes: client,
    subcode: 'MalformedXml',
    reason: /not valid UTF-8: byte \d+/,
  },
  {
    name: 'an Envelope without a Body',
    message: (version) => `<Envelope xmlns="${versions[version].namespace}"/>`,
    ...invalidEnvelope,
    reason: /has no Body/,
  },
  {
    name: 'a Header after the Body',
    message: (version) => envelope(version, addOneTwo).replace('</e:Body>', '$&<e:Header/>'),
    ...invalidEnvelope,
    reason: /an optional Header and then one Body/,
  },
  {
    name: 'two Bodies',
    message: (version) => envelope(version, addOneTwo).replace('</e:Body>', '$&<e:Body/>'),
    ...invalidEnvelope,
    reason: /an optional Header and then one Body/,
  },
  {
    name: 'something else beside the Body',
    message: (version) => envelope(version, addOneTwo).replace('</e:Body>', '$&<x xmlns="u"/>'),
    ...invalidEnvelope,
    reason: /The Envelope has 'x' in the namespace 'u'/,
  },
  {
    name: 'text in the Body',
    message: inEnvelope(`go${addOneTwo}`),
    ...invalidEnvelope,
    reason: /The Body has text beside its elements: 'go'/,
  },
  {
    name: 'a header entry in no namespace',
    message: withHeader('<Token/>'),
    ...invalidEnvelope,
    reason: /'Token' must be in a namespace/,
  },
  {
    name: 'a mustUnderstand that is neither true nor false',
    message: withHeader('<h:T xmlns:h="u" e:mustUnderstand="yes"/>'),
    ...invalidEnvelope,
    reason: /mustUnderstand of 'T' in the namespace 'u' is 'yes'; in SOAP .* it must be one of 0,/,
  },
  {
    name: 'an unsupported character encoding',
    message: (version) => `<?xml version="1.0" encoding="EBCDIC"?>${envelope(version, addOneTwo)}`,
    isCharsetUnsaid: true,
    codes: client,
    subcode: 'MalformedXml',
    reason: /The XML declaration names the encoding 'EBCDIC'.*UTF-8, UTF-16/,
  },
  {
    name: 'an unsupported header entry with mustUnderstand',
    message: withHeader('<h:Security xmlns:h="urn:security" e:mustUnderstand="1"/>'),
    codes: ['MustUnderstand', 'MustUnderstand'],
    reason: /'Security' in the namespace 'urn:security'/,
  },
  {
    name: 'an Envelope of an unknown version',
    message: () => '<Envelope xmlns="urn:mine"/>',
    codes: ['VersionMismatch', 'VersionMismatch'],
    reason: /the root is 'Envelope' in the namespace 'urn:mine'/,
  },
  {
    name: 'a root that is not an Envelope',
    message: () => addOneTwo,
    codes: ['VersionMismatch', 'VersionMismatch'],
    reason: /the root is 'Add' in the namespace 'http:\/\/tempuri/,
  },
  {
    name: 'an Envelope of the other version than its Content-Type',
    message: (version) => envelope(version === '1.1' ? '1.2' : '1.1', addOneTwo),
    codes: ['VersionMismatch', 'VersionMismatch'],
    reason: /this Envelope is SOAP 1\.[12]\. Send it as/,
  },
];

describe.each(versionNames)('SOAP %s: a Fault is the response to', (version) => {
  test.each(cases)('$name', async (faultCase) => {
    const {
      path = calculatorPath,
      message,
      isCharsetUnsaid,
      codes,
      subcode,
      reason,
      detail,
    } = faultCase;
    const options = isCharsetUnsaid ? { contentType: versions[version].mediaType } : {};
    const response = await postSoap(service, path, version, message(version), options);
    const { fault } = response;
    expect(fault?.reason).toMatch(reason);
    expect(fault?.code).toBe(codes[version === '1.1' ? 0 : 1]);
    expect(fault?.subcode).toBe(version === '1.1' ? undefined : subcode);
    if (detail !== undefined) {
      expect(fault?.detail?.name).toBe(subcode);
      expect(fault?.detail?.namespace).toBe('http://tempuri.org/');
      expect(fieldsOf(fault?.detail)).toEqual(detail);
    }
    const isAboutBody = /^(?!Malformed|InvalidEnvelope)./.test(subcode ?? '');
    expect(fault?.detail !== undefined).toBe(isAboutBody);
  });

  test('an action that contradicts the Body', async () => {
    const action = 'http://tempuri.org/Subtract';
    const options =
      version === '1.1'
        ? { headers: { SOAPAction: `"${action}"` } }
        : { contentType: `${versions[version].contentType}; action="${action}"` };
    const message = envelope(version, addOneTwo);
    const { fault } = await postSoap(service, calculatorPath, version, message, options);
    expect(fault?.code).toBe(version === '1.1' ? 'Client' : 'Sender');
    expect(fault?.subcode).toBe(version === '1.1' ? undefined : 'ActionMismatch');
    expect(fault?.reason).toBe(
      "The action is 'http://tempuri.org/Subtract', but the Body calls Add, whose action is 'http://tempuri.org/Add'.",
    );
    expect(fault?.detail).toBeUndefined();
  });

  test('many invalid parameters, some of which it names', async () => {
    const parameters = Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]);
    const message = envelope(version, add(Object.fromEntries(parameters)));
    const { fault, text } = await postSoap(service, calculatorPath, version, message);
    expect(fault?.detail?.children).toHaveLength(20);
    expect(text.length).toBeLessThan(10_000);
  });
});

describe('the header of a SOAP 1.2 Fault', () => {
  const soap12 = versions['1.2'].namespace;

  test('names the envelopes that are supported when the version is wrong', async () => {
    const message = envelope('1.1', addOneTwo);
    const { header, text } = await postSoap(service, calculatorPath, '1.2', message);
    expect(header.map(({ namespace, name }) => [namespace, name])).toEqual([[soap12, 'Upgrade']]);
    const names = header[0]?.children.map(({ name }) => name);
    expect(names).toEqual(['SupportedEnvelope', 'SupportedEnvelope']);
    expect(text).toContain(`<soap:SupportedEnvelope qname="e:Envelope" xmlns:e="${soap12}"/>`);
    expect(text).toContain(`qname="e:Envelope" xmlns:e="${versions['1.1'].namespace}"`);
  });

  test('names each header entry that was not understood', async () => {
    const entries =
      '<h:A xmlns:h="urn:a" e:mustUnderstand="true"/><B xmlns="urn:b"/><h:C xmlns:h="urn:c&amp;&quot;" e:mustUnderstand=" 1 "/>';
    const message = envelope('1.2', addOneTwo, `<e:Header>${entries}</e:Header>`);
    const { header, text } = await postSoap(service, calculatorPath, '1.2', message);
    expect(header.map(({ name }) => name)).toEqual(['NotUnderstood', 'NotUnderstood']);
    expect(text).toContain('<soap:NotUnderstood qname="h:A" xmlns:h="urn:a"/>');
    expect(text).toContain('<soap:NotUnderstood qname="h:C" xmlns:h="urn:c&amp;&quot;"/>');
  });

  test('is absent in SOAP 1.1, which has no such entries', async () => {
    const mismatch = envelope('1.2', addOneTwo);
    expect((await postSoap(service, calculatorPath, '1.1', mismatch)).header).toEqual([]);
    const entry = '<e:Header><h:A xmlns:h="urn:a" e:mustUnderstand="1"/></e:Header>';
    const header = envelope('1.1', addOneTwo, entry);
    expect((await postSoap(service, calculatorPath, '1.1', header)).header).toEqual([]);
  });
});

test('SOAP 1.2 rejects an encodingStyle of the content, and on its own elements', async () => {
  const style = (value: string) => ` e:encodingStyle="${value}"`;
  const encoded = envelope(
    '1.2',
    addOneTwo.replace('<intA', `$&${style('http://www.w3.org/2003/05/soap-encoding')}`),
  );
  const inContent = await postSoap(service, calculatorPath, '1.2', encoded);
  expect(inContent.fault).toMatchObject({ code: 'DataEncodingUnknown', subcode: undefined });
  expect(inContent.status).toBe(500);

  const onBody = envelope('1.2', addOneTwo).replace('<e:Body', `$&${style('urn:mine')}`);
  const ofEnvelope = await postSoap(service, calculatorPath, '1.2', onBody);
  expect(ofEnvelope.fault).toMatchObject({ code: 'Sender', subcode: 'InvalidEnvelope' });

  const none = envelope(
    '1.2',
    addOneTwo.replace('<intA', `$&${style(`${versions['1.2'].namespace}/encoding/none`)}`),
  );
  expect((await postSoap(service, calculatorPath, '1.2', none)).fault).toBeUndefined();
});

const plainErrors: readonly {
  name: string;
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  status: number;
  message: RegExp;
}[] = [
  {
    name: 'a JSON body',
    target: `POST ${calculatorPath}`,
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
    status: 415,
    message: /is application\/json\. Send text\/xml; charset=utf-8 for SOAP 1\.1/,
  },
  {
    name: 'plain XML',
    target: `POST ${countriesPath}`,
    headers: { 'Content-Type': 'application/xml' },
    body: '<a/>',
    status: 415,
    message: /application\/soap\+xml; charset=utf-8 for SOAP 1\.2/,
  },
  {
    name: 'no Content-Type',
    target: `POST ${calculatorPath}`,
    headers: {},
    body: '<a/>',
    status: 415,
    message: /has no Content-Type/,
  },
  {
    name: 'a compressed body',
    target: `POST ${calculatorPath}`,
    headers: { 'Content-Type': 'text/xml', 'Content-Encoding': 'gzip' },
    body: '<a/>',
    status: 415,
    message: /Content-Encoding gzip is not supported/,
  },
  {
    name: 'a body over 1 MiB',
    target: `POST ${calculatorPath}`,
    headers: { 'Content-Type': 'text/xml' },
    body: `<a>${' '.repeat(1024 * 1024)}</a>`,
    status: 413,
    message: /larger than 1 MiB/,
  },
  {
    name: 'an unsupported method',
    target: `PUT ${countriesPath}`,
    headers: { 'Content-Type': 'text/xml' },
    body: '<a/>',
    status: 405,
    message: /GET, HEAD, POST/,
  },
  {
    name: 'a service that does not exist',
    target: 'POST /api/soap/weather',
    headers: { 'Content-Type': 'text/xml' },
    body: '<a/>',
    status: 404,
    message: /nothing at \/api\/soap\/weather/,
  },
];

test.each(plainErrors)('$name is rejected in the shape of REST errors', async (plainError) => {
  const { target, headers, body = '', status, message } = plainError;
  const response = await service.send(target, { headers, body });
  expect(response.status).toBe(status);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.json).toMatchObject({ status, error: expect.any(String) });
  expect(response.json.message).toMatch(message);
});
