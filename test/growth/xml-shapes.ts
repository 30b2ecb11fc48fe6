/** XML texts, well-formed and not, of about a given size. */

import { fill, list, name } from './measured-request.js';

const start =
  '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header/><e:Body><Add xmlns="http://tempuri.org/"><intA>';
const end = '</intA><intB>1</intB></Add></e:Body></e:Envelope>';
const inside = (text: string) => `${start}${text}${end}`;

export const xmlShapes: Readonly<Record<string, (size: number) => string>> = {
  'a comment': (size) => `<!--${fill('- ', size)}-->${inside('1')}`,
  attributes: (size) => `<a ${list(size / 9, (index) => `${name(index)}=""`).join(' ')}/>`,
  'one attribute repeated': (size) => `<a ${fill('b="" ', size)}/>`,
  namespaces: (size) => `<a ${list(size / 16, (index) => `xmlns:${name(index)}="u"`).join(' ')}/>`,
  'nested elements': (size) => `${fill('<a>', size / 2)}${fill('</a>', size / 2)}`,
  'nested namespaces': (size) =>
    list(size / 20, (index) => `<a xmlns:${name(index)}="u">`).join(''),
  siblings: (size) => `<a>${fill('<b/>', size)}</a>`,
  'quotes in tags': (size) => `<""${fill(`'" "`, size)}`,
  'character references': (size) => inside(`${fill('&#32;', size)}1`),
  'malformed references': (size) => inside(fill('&x', size)),
  'CDATA sections': (size) => inside(fill('<![CDATA[1]]>', size)),
  'brackets in a CDATA section': (size) => inside(`<![CDATA[${fill(']]', size)}]]>`),
  'a long number': (size) => inside('1'.repeat(size)),
  'space inside a number': (size) => inside(`1${' '.repeat(size)}1`),
  'processing instructions': (size) => `<a>${fill('<?x?>', size)}</a>`,
  'a document type': (size) => `<!DOCTYPE a [${fill('<!ENTITY x "y">', size)}]><a/>`,
  'repeated arguments': (size) => inside(`1</intA>${fill('<intA>1</intA>', size)}<intA>1`),
  'angle brackets': (size) => '<'.repeat(size),
  'space in a tag': (size) => `<a ${' '.repeat(size)}/>`,
  'returns in text': (size) => inside('\r'.repeat(size)),
};

const oasis = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-';
const timestamp =
  '<u:Timestamp><u:Created>2020-01-01T00:00:00Z</u:Created><u:Expires>9999-01-01T00:00:00Z</u:Expires></u:Timestamp>';
const secured = (text: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><w:Security xmlns:w="${oasis}wssecurity-secext-1.0.xsd" xmlns:u="${oasis}wssecurity-utility-1.0.xsd">${text}</w:Security></e:Header><e:Body><Add xmlns="http://tempuri.org/"/></e:Body></e:Envelope>`;
const token = (rest: string, password = 'x') =>
  secured(
    `${timestamp}<w:UsernameToken><w:Username>ada</w:Username><w:Password Type="${oasis}username-token-profile-1.0#PasswordDigest">${password}</w:Password>${rest}</w:UsernameToken>`,
  );

/** Messages with WS-Security. */
export const securityShapes: Readonly<Record<string, (size: number) => string>> = {
  'a nonce': (size) => token(`<w:Nonce>${'A'.repeat(size)}</w:Nonce>`),
  nonces: (size) => token(fill('<w:Nonce>AAAA</w:Nonce>', size)),
  'a time of letters': (size) => token(`<u:Created>${'T'.repeat(size)}</u:Created>`),
  'space around a time': (size) => token(`<u:Created>${' '.repeat(size)}x</u:Created>`),
  'a digest': (size) => token('', 'A'.repeat(size)),
  'a user name': (size) =>
    secured(
      `${timestamp}<w:UsernameToken><w:Username>${'a'.repeat(size)}</w:Username><w:Password>x</w:Password></w:UsernameToken>`,
    ),
  'parts of the header': (size) => secured(fill(timestamp, size)),
  'parts of the Timestamp': (size) =>
    secured(`<u:Timestamp>${fill('<u:Created/>', size)}</u:Timestamp>${timestamp}`),
  'nested parts': (size) => secured(fill('<w:Security>', size)),
};
