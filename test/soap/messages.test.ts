import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import {
  calculatorPath,
  countriesPath,
  envelope,
  fieldsOf,
  operation,
  postSoap,
  tempuri,
  type VersionName,
  versionNames,
  versions,
} from '../support/soap.js';

const service = useService();

async function calculate(version: VersionName, xml: string | Uint8Array, contentType?: string) {
  const options = contentType === undefined ? {} : { contentType };
  const { content, fault } = await postSoap(service, calculatorPath, version, xml, options);
  return fault === undefined ? Object.values(fieldsOf(content)).join() : fault.reason;
}

const results: readonly (readonly [string, number, number, string])[] = [
  ['Add', 2, 3, '5'],
  ['Add', 2147483646, 1, '2147483647'],
  ['Add', -2147483647, -1, '-2147483648'],
  ['Subtract', 2, 3, '-1'],
  ['Subtract', -2147483648, -2147483648, '0'],
  ['Multiply', 46341, 46340, '2147441940'],
  ['Multiply', -65536, 32768, '-2147483648'],
  ['Multiply', 0, -5, '0'],
  ['Divide', 12, 4, '3'],
  ['Divide', 7, 2, '3'],
  ['Divide', -7, 2, '-3'],
  ['Divide', 7, -2, '-3'],
  ['Divide', -1, 2, '0'],
  ['Divide', 0, -5, '0'],
  ['Divide', -2147483648, 1, '-2147483648'],
];

/** The text of the element intA, and the result of adding zero to it. */
const integers: readonly (readonly [text: string, sum: string | RegExp])[] = [
  ['2147483647', '2147483647'],
  ['-2147483648', '-2147483648'],
  ['2147483648', /'2147483648', but a 32-bit integer must be from -2147483648 to 2147483647/],
  ['-2147483649', /'-2147483649', but a 32-bit integer must be from/],
  ['9'.repeat(400), /'9{60}…', but a 32-bit integer must be from/],
  ['+5', '5'],
  ['-5', '-5'],
  ['-0', '0'],
  ['007', '7'],
  [' \t\r\n 5 \n', '5'],
  ['&#x20;5&#9;', '5'],
  ['<![CDATA[5]]>', '5'],
  ['1<!-- and -->2', '12'],
  ['1<![CDATA[2]]>3', '123'],
  ['&#49;&#x32;', '12'],
  ['', /intA is empty, but must be an integer/],
  ['   ', /intA is empty/],
  ['<!-- 5 -->', /intA is empty/],
  ['5.0', /'5\.0', but must be an integer/],
  ['5,0', /must be an integer/],
  ['1e3', /must be an integer/],
  ['0x10', /'0x10', but must be an integer/],
  ['1 2', /'1 2', but must be/],
  ['+', /must be an integer/],
  ['+-5', /must be an integer/],
  ['- 5', /must be an integer/],
  ['\u00a05', /must be an integer/],
  ['\u0665', /must be an integer/],
  ['\uff15', /must be an integer/],
  ['NaN', /must be an integer/],
  ['INF', /must be an integer/],
  ['true', /must be an integer/],
  ['1_000', /must be an integer/],
];

describe.each(versionNames)('SOAP %s', (version) => {
  test.each(results)('%s of %i and %i is %s', async (name, intA, intB, result) => {
    const xml = envelope(version, operation(name, { intA, intB }));
    const { content } = await postSoap(service, calculatorPath, version, xml);
    expect([content.namespace, content.name]).toEqual([tempuri, `${name}Response`]);
    expect(fieldsOf(content)).toEqual({ [`${name}Result`]: result });
    expect(content.children[0]?.namespace).toBe(tempuri);
  });

  test.each(integers)('parses %j as an int', async (text, sum) => {
    const xml = envelope(version, operation('Add', { intA: text, intB: 0 }));
    const response = await calculate(version, xml);
    if (typeof sum === 'string') expect(response).toBe(sum);
    else expect(response).toMatch(sum);
  });

  test('accepts an action that names the operation, in quotes or not, and an empty action', async () => {
    const xml = envelope(version, operation('Add', { intA: 1, intB: 2 }));
    const action = `${tempuri}Add`;
    const type = versions[version].contentType;
    const options =
      version === '1.1'
        ? [`"${action}"`, action, '""', ''].map((sent) => ({ headers: { SOAPAction: sent } }))
        : [`"${action}"`, action, '""'].map((sent) => ({ contentType: `${type};Action=${sent}` }));
    for (const each of options) {
      const { fault } = await postSoap(service, calculatorPath, version, xml, each);
      expect(fault, JSON.stringify(each)).toBeUndefined();
    }
  });

  test('accepts any prefixes, order, comments and white space in a message', async () => {
    const { namespace } = versions[version];
    const messages = [
      `<Envelope xmlns="${namespace}"><Body><Add xmlns="${tempuri}"><intA>1</intA><intB>2</intB></Add></Body></Envelope>`,
      `<a:Envelope xmlns:a="${namespace}" xmlns:b="${tempuri}"><a:Header/><a:Body><b:Add><b:intB>2</b:intB><b:intA>1</b:intA></b:Add></a:Body></a:Envelope>`,
      `\n\t<?xml version="1.0"?>`.trim() +
        `<!-- before --><a:Envelope xmlns:a="${namespace}">\r\n<!-- in --><b:Body xmlns:b="${namespace}">\n<c:Add xmlns:c="${tempuri}" x="ignored">\n<d:intA xmlns:d="${tempuri}">1</d:intA> <c:intB>2</c:intB></c:Add></b:Body></a:Envelope><!-- after -->\n`,
    ];
    for (const message of messages) expect(await calculate(version, message)).toBe('3');
  });

  test('ignores header entries that need not be understood, or not by this service', async () => {
    const role = version === '1.1' ? 'actor' : 'role';
    const entries = [
      '<h:A xmlns:h="urn:a"/>',
      '<h:A xmlns:h="urn:a" e:mustUnderstand="0">text</h:A>',
      `<h:A xmlns:h="urn:a" e:mustUnderstand="1" e:${role}="urn:someone-else"/>`,
      '<h:A xmlns:h="urn:a" mustUnderstand="1" h:mustUnderstand="1"/>',
    ];
    const header = `<e:Header>${entries.join('')}</e:Header>`;
    const xml = envelope(version, operation('Add', { intA: 1, intB: 2 }), header);
    expect(await calculate(version, xml)).toBe('3');
  });

  test.each(['', ...versions[version].ownRoles])(
    'must understand a header entry for the role %j',
    async (role) => {
      const { roleAttribute } = versions[version];
      const entry = `<h:A xmlns:h="urn:a" e:mustUnderstand="1" e:${roleAttribute}="${role}"/>`;
      const xml = envelope(version, '<x/>', `<e:Header>${entry}</e:Header>`);
      const { fault } = await postSoap(service, calculatorPath, version, xml);
      expect(fault?.code).toBe('MustUnderstand');
    },
  );
});

test('each version has different values for mustUnderstand', async () => {
  const entry = '<h:A xmlns:h="urn:a" e:mustUnderstand="true"/>';
  for (const [version, code] of [
    ['1.1', 'Client'],
    ['1.2', 'MustUnderstand'],
  ] as const) {
    const xml = envelope(version, '<x/>', `<e:Header>${entry}</e:Header>`);
    const { fault } = await postSoap(service, calculatorPath, version, xml);
    expect(fault?.code).toBe(code);
  }
});

describe('encodings', () => {
  const call = envelope('1.1', operation('GetCountryInfo', { countryCode: 'Å' }));
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${call}`;
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const mark = '\ufeff';

  const encodings: readonly (readonly [string, Uint8Array, string])[] = [
    ['UTF-8', Buffer.from(call), 'text/xml'],
    ['UTF-8 with a byte-order mark', Buffer.from(mark + call), 'text/xml'],
    [
      'UTF-8 with a mark that contradicts the charset',
      Buffer.from(mark + call),
      'text/xml; charset=utf-16',
    ],
    [
      'UTF-8 that declares UTF-16 but says otherwise in HTTP',
      Buffer.from(declared('utf-16')),
      'text/xml; charset=utf-8',
    ],
    [
      'UTF-16, little-endian, with a mark',
      Buffer.from(mark + declared('utf-16'), 'utf16le'),
      'text/xml',
    ],
    [
      'UTF-16, big-endian, with a mark',
      utf16be(mark + declared('utf-16')),
      'text/xml; charset=utf-16',
    ],
    [
      'UTF-16, little-endian, without a mark',
      Buffer.from(declared('utf-16'), 'utf16le'),
      'text/xml; charset=utf-16',
    ],
    [
      'UTF-16, big-endian, without a mark',
      utf16be(declared('utf-16')),
      'text/xml; charset="UTF-16"',
    ],
    ['declared UTF-16LE', Buffer.from(call, 'utf16le'), 'text/xml; charset=utf-16le'],
    ['declared UTF-16BE', utf16be(call), 'text/xml;Charset=UTF-16BE'],
    ['undeclared UTF-16', Buffer.from(call, 'utf16le'), 'text/xml'],
    ['ISO-8859-1 by its declaration', Buffer.from(declared('iso-8859-1'), 'latin1'), 'text/xml'],
    ['ISO-8859-1 by HTTP', Buffer.from(call, 'latin1'), 'text/xml; charset=ISO-8859-1'],
    [
      'US-ASCII with a character reference',
      Buffer.from(call.replace('Å', '&#197;')),
      'text/xml; charset=us-ascii',
    ],
  ];

  test.each(encodings)('%s', async (_name, bytes, contentType) => {
    const { fault } = await postSoap(service, countriesPath, '1.1', bytes, { contentType });
    expect(fault?.detail?.name).toBe('CountryNotFound');
    expect(fieldsOf(fault?.detail)).toEqual({ CountryCode: 'Å' });
  });

  const rejected: readonly (readonly [string, Uint8Array, string, RegExp])[] = [
    ['UTF-8 declared as US-ASCII', Buffer.from(call), 'text/xml; charset=us-ascii', /not US-ASCII/],
    [
      'ISO-8859-1 declared as UTF-8',
      Buffer.from(call, 'latin1'),
      'text/xml; charset=utf-8',
      /not valid UTF-8: byte 1\d\d/,
    ],
    [
      'half a character of UTF-16',
      Buffer.from(mark + call, 'utf16le').subarray(0, -1),
      'text/xml',
      /not valid UTF-16LE/,
    ],
    [
      'one byte a character, declared as UTF-16',
      Buffer.from(declared('UTF-16')),
      'text/xml',
      /declaration names UTF-16, but/,
    ],
    [
      'an unsupported charset',
      Buffer.from(call),
      'text/xml; charset=koi8-r',
      /Content-Type names the encoding 'koi8-r'/,
    ],
    [
      'a charset named like a member of Object.prototype',
      Buffer.from(call),
      'text/xml; charset=__proto__',
      /'__proto__'/,
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 'text/xml', /not well-formed XML/],
  ];

  test.each(rejected)('%s is rejected', async (_name, bytes, contentType, reason) => {
    const { fault } = await postSoap(service, countriesPath, '1.1', bytes, { contentType });
    expect(fault?.code).toBe('Client');
    expect(fault?.reason).toMatch(reason);
  });
});

describe('countries', () => {
  test.each(['DE', 'de', 'DEU', 'dEu', ' DE\n'])('GetCountryInfo finds %j', async (countryCode) => {
    const xml = envelope('1.2', operation('GetCountryInfo', { countryCode }));
    const { content } = await postSoap(service, countriesPath, '1.2', xml);
    expect(content.name).toBe('GetCountryInfoResponse');
    const [country] = content.children;
    expect(content.children).toHaveLength(1);
    expect(Object.entries(fieldsOf(country))).toEqual([
      ['Code', 'DE'],
      ['Name', 'Germany'],
      ['Capital', 'Berlin'],
      ['Currency', 'EUR'],
      ['PhoneCode', '+49'],
      ['Continent', 'Europe'],
      ['Population', expect.stringMatching(/^8\d{7}$/)],
    ]);
  });

  test('ListCountries lists every country, and GetCountryInfo finds each', async () => {
    const xml = envelope('1.1', operation('ListCountries', {}));
    const { content } = await postSoap(service, countriesPath, '1.1', xml);
    const listed = content.children[0]?.children.map(fieldsOf) ?? [];
    expect(listed.length).toBeGreaterThanOrEqual(195);
    for (const { Code = '', Name } of listed) {
      const call = envelope('1.1', operation('GetCountryInfo', { countryCode: Code }));
      const { content: one } = await postSoap(service, countriesPath, '1.1', call);
      expect(fieldsOf(one.children[0])).toMatchObject({ Code, Name });
    }
  });

  test('the same list is sent every time', async () => {
    const xml = envelope('1.1', operation('ListCountries', {}));
    const first = await postSoap(service, countriesPath, '1.1', xml);
    expect((await postSoap(service, countriesPath, '1.1', xml)).text).toBe(first.text);
  });
});
