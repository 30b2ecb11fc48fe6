/** Texts of XML, well-formed and not, of about a given size. */

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
  'references that are malformed': (size) => inside(fill('&x', size)),
  'CDATA sections': (size) => inside(fill('<![CDATA[1]]>', size)),
  'brackets in a CDATA section': (size) => inside(`<![CDATA[${fill(']]', size)}]]>`),
  'a long number': (size) => inside('1'.repeat(size)),
  'space inside a number': (size) => inside(`1${' '.repeat(size)}1`),
  'processing instructions': (size) => `<a>${fill('<?x?>', size)}</a>`,
  'a document type': (size) => `<!DOCTYPE a [${fill('<!ENTITY x "y">', size)}]><a/>`,
  'arguments that are repeated': (size) => inside(`1</intA>${fill('<intA>1</intA>', size)}<intA>1`),
  'angle brackets': (size) => '<'.repeat(size),
  'space in a tag': (size) => `<a ${' '.repeat(size)}/>`,
  'returns in text': (size) => inside('\r'.repeat(size)),
};
