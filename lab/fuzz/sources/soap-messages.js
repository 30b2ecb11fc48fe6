/** SOAP 1.1 and 1.2 messages to both services, valid and damaged. */

import { SaxesParser } from 'saxes';
import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError } from '../judge-response.js';
import { inHeader, mutateText, mutateTokens } from '../mutate-text.js';

/**
 * @typedef {import('../random-source.js').Random} Random
 * @typedef {import('../../harness/raw-http.js').WireResponse} WireResponse
 */

const versions = /** @type {const} */ ([
  ['http://schemas.xmlsoap.org/soap/envelope/', 'text/xml; charset=utf-8'],
  ['http://www.w3.org/2003/05/soap-envelope', 'application/soap+xml; charset=utf-8'],
]);

const values = [
  ...['1', '0', '-7', '+5', ' 12 ', '2147483647', '-2147483648', '2147483648', '', 'x', '1.0'],
  ...['٣', '&#49;', '&amp;', '<![CDATA[4]]>', '<b/>', '9'.repeat(500), '0x10', '--1', 'NaN', '1e3'],
];
const codes = ['NO', 'nor', 'xx', '', 'N O', 'DEU', '<x/>', 'É', '&lt;'];

/** @returns {import('../run-fuzz.js').Source} */
export function soapMessages() {
  return { name: 'soap', next: makeMessage };
}

/**
 * @param {Random} random
 * @returns {import('../run-fuzz.js').RequestCase}
 */
function makeMessage(random) {
  const [namespace, ownType] = random.pick(versions);
  const isCalculator = random.chance(70);
  const isSecured = isCalculator && random.chance(40);
  const calculator = isSecured ? '/api/soap/secure' : '/api/soap/calculator';
  const path = isCalculator ? calculator : '/api/soap/countries';
  const operation = isCalculator ? calculation(random) : lookUp(random);
  const usual = random.chance(15) ? headerEntry(random) : '';
  const header = isSecured ? `<e:Header>${security(random)}</e:Header>` : usual;
  const whole = `${random.chance(30) ? '<?xml version="1.0" encoding="utf-8"?>' : ''}<e:Envelope xmlns:e="${namespace}">${header}<e:Body>${operation}</e:Body></e:Envelope>`;
  const isDamaged = random.chance(60);
  const text = isDamaged ? damage(random, whole) : whole;
  let body = asBytes(text);
  if (random.chance(3)) body = Buffer.from(text, 'utf16le').toString('latin1');
  if (random.chance(2)) body = `\xff\xfe${Buffer.from(text, 'utf16le').toString('latin1')}`;
  const contentType = random.chance(90)
    ? ownType
    : inHeader(mutateText(random, random.pick(versions)[1]));
  /** @type {[string, string][]} */
  const headers = [['Content-Type', contentType]];
  if (random.chance(30)) {
    const action = random.pick(['http://tempuri.org/Add', '""', '"http://tempuri.org/Add"', 'x"']);
    headers.push(['SOAPAction', random.chance(70) ? action : inHeader(mutateText(random, action))]);
  }
  return {
    kind: isDamaged ? 'a damaged message' : 'a message',
    method: 'POST',
    bytes: writeRequest('POST', path, headers, body),
    judge: judgeSoap,
  };
}

/** @param {Random} random */
function calculation(random) {
  const name = random.pick(['Add', 'Subtract', 'Multiply', 'Divide']);
  return `<${name} xmlns="http://tempuri.org/"><intA>${random.pick(values)}</intA><intB>${random.pick(values)}</intB></${name}>`;
}

/** @param {Random} random */
function lookUp(random) {
  return random.chance(20)
    ? '<ListCountries xmlns="http://tempuri.org/"/>'
    : `<GetCountryInfo xmlns="http://tempuri.org/"><countryCode>${random.pick(codes)}</countryCode></GetCountryInfo>`;
}

/** @param {Random} random */
function headerEntry(random) {
  const must = random.pick(['1', '0', 'true', 'false', 'yes', '']);
  const role = random.pick(['', 'http://schemas.xmlsoap.org/soap/actor/next', 'u', ' ']);
  return `<e:Header><h xmlns="${random.pick(['u', '', 'http://tempuri.org/'])}" e:mustUnderstand="${must}" e:actor="${role}"/></e:Header>`;
}

const oasis = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';
const times = [
  ...[
    '2020-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2020-01-01T00:00:00',
    '2020-02-30T00:00:00Z',
  ],
  ...['now', '', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '2020-01-01T24:00:00Z', 'T'],
];

/** @param {Random} random */
function security(random) {
  const now = Date.now();
  const time = (/** @type {number} */ seconds) =>
    random.chance(80) ? new Date(now + seconds * 1000).toISOString() : random.pick(times);
  const name = random.pick(['ada', 'ada', 'ada', 'bob', '', 'ada ']);
  const password = random.pick([
    'ada-secret',
    'ada-secret',
    'wrong',
    '',
    '<x/>',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  ]);
  const type = random.pick(['Text', 'Text', 'Digest', 'Other', '']);
  const nonce = random.pick([
    '',
    `<w:Nonce>${random.pick(['AAAA', 'A', '', '*', 'AAAA'.repeat(400)])}</w:Nonce>`,
  ]);
  const created = random.chance(50) ? `<u:Created>${time(0)}</u:Created>` : '';
  const parts = [
    `<u:Timestamp><u:Created>${time(0)}</u:Created><u:Expires>${time(300)}</u:Expires></u:Timestamp>`,
    `<w:UsernameToken><w:Username>${name}</w:Username><w:Password Type="${oasis}username-token-profile-1.0#Password${type}">${password}</w:Password>${nonce}${created}</w:UsernameToken>`,
  ];
  if (random.chance(10)) parts.push(random.pick([...parts, '<w:BinarySecurityToken/>', '<a/>']));
  const inside = parts.filter(() => random.chance(95)).join('');
  return `<w:Security xmlns:w="${oasis}wssecurity-secext-1.0.xsd" xmlns:u="${oasis}wssecurity-utility-1.0.xsd">${inside}</w:Security>`;
}

const token = /<[^>]*>|[^<]+/g;
const oddMarkup = [
  ...['<!DOCTYPE a>', '<!ENTITY a "b">', '<?xml version="1.1"?>', '<?php ?>', '<!-- -->', '<a:b/>'],
  ...['&a;', '&#x10ffff;', '&#0;', '&#xd800;', '</e:Body>', '<e:Envelope/>', '<x xmlns:y=""/>'],
  ...['<x xmlns:xml="u"/>', '<x a="1" a="2"/>', '<:/>', '<![CDATA[', ']]>', '<', '\r'],
  ...['\ufeff', '\u0000'],
];

/**
 * @param {Random} random
 * @param {string} xml
 */
function damage(random, xml) {
  const tokens = xml.match(token) ?? [];
  return random.pick([
    () => mutateText(random, xml),
    () => mutateTokens(random, tokens, oddMarkup),
    () => mutateTokens(random, tokens, [...tokens, '<a>'.repeat(random.below(200))]),
    () => xml.slice(0, random.below(xml.length)),
  ])();
}

/**
 * Checks SOAP 1.1 sections 4.4 and 6.2, SOAP 1.2 part 2 section 7.5.2.
 *
 * @param {WireResponse} response
 * @returns {string | undefined}
 */
function judgeSoap(response) {
  const { status, headers, body } = response;
  const contentType = headers.get('content-type');
  if ([400, 413, 415].includes(status) && contentType?.startsWith('application/json')) {
    return judgeRestError(response);
  }
  const version = versions.find(([, type]) => type === contentType);
  if (version === undefined) return `of type ${contentType}`;
  const isOlder = version === versions[0];
  const text = Buffer.from(body, 'latin1').toString('utf8');
  const fault = wellFormedFault(text);
  if (fault !== undefined) return fault;
  if (/Something failed on our side/.test(text)) return 'an unexpected failure';
  if (!text.includes(`xmlns:soap="${version[0]}"`)) return 'an envelope of another version';
  const isFault = text.includes('<soap:Fault>');
  const expected = isFault ? (isOlder ? [500] : [400, 500]) : [200];
  if (!expected.includes(status)) return `status ${status} ${isFault ? 'with' : 'without'} a Fault`;
  if (isFault && !isOlder && status === 500 && text.includes('>soap:Sender<')) {
    return 'the status of a Receiver with a fault of the Sender';
  }
  return undefined;
}

/** @param {string} text */
function wellFormedFault(text) {
  /** @type {string | undefined} */
  let fault;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => {
    fault ??= `not well-formed: ${message}`;
  });
  parser.write(text).close();
  return fault;
}
