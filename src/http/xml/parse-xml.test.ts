import { describe, expect, test } from 'vitest';
import { attributeOf, parseXml, type XmlElement, xmlLimits } from './parse-xml.js';
import { trimXml, XmlError } from './text.js';

test('elements, attributes and text have their namespaces, with any prefixes', () => {
  const root = parseXml(
    '<?xml version="1.0"?>\n<a xmlns="u:a" xmlns:p="u:p" p:x="1" x="2">t<p:b xmlns:p="u:q"/>u<c xmlns="">&lt;</c></a>',
  );
  expect(root).toEqual({
    namespace: 'u:a',
    name: 'a',
    attributes: [
      { namespace: 'u:p', name: 'x', value: '1' },
      { namespace: '', name: 'x', value: '2' },
    ],
    text: 'tu',
    children: [
      { namespace: 'u:q', name: 'b', attributes: [], text: '', children: [] },
      { namespace: '', name: 'c', attributes: [], text: '<', children: [] },
    ],
  });
  expect(attributeOf(root, 'u:p', 'x')).toBe('1');
  expect(attributeOf(root, '', 'x')).toBe('2');
  expect(attributeOf(root, 'u:a', 'x')).toBeUndefined();
});

test.each([
  ['comments', '<a>1<!-- 2 -->3</a>', '13'],
  ['sections', '<a>1<![CDATA[<&]]>3</a>', '1<&3'],
  ['references', '<a>&#65;&#x42;&amp;&quot;&apos;</a>', 'AB&"\''],
  ['line ends', '<a>1\r\n2\r3\n4</a>', '1\n2\n3\n4'],
  ['line ends in a row', '<a>\r\r\n\n\r😀\u0d0a\u0a0d\r</a>', '\n\n\n\n😀\u0d0a\u0a0d\n'],
  ['a version of XML that is not 1.0', '<?xml version="1.1"?><a>1</a>', '1'],
  ['what looks like a document type', '<a><![CDATA[<!DOCTYPE a>]]></a>', '<!DOCTYPE a>'],
  ['a document type in a comment', '<!-- <!DOCTYPE a> --><a>1</a>', '1'],
])('text with %s', (_name, xml, text) => {
  expect(parseXml(xml).text).toBe(text);
});

const malformed: Readonly<Record<string, string>> = {
  nothing: '',
  'only white space': ' \n',
  'only a comment': '<!-- a -->',
  'text before the root': 'x<a/>',
  'text after the root': '<a/>x',
  'two roots': '<a/><b/>',
  'a tag left open': '<a>',
  'tags that do not match': '<a></b>',
  'tags that overlap': '<a><b></a></b>',
  'an attribute twice': '<a b="1" b="2"/>',
  'an attribute twice by two prefixes': '<a xmlns:x="u" xmlns:y="u" x:b="1" y:b="2"/>',
  'an attribute without quotes': '<a b=1/>',
  'an attribute without a value': '<a b/>',
  'a tag inside an attribute': '<a b="<"/>',
  'an undeclared prefix': '<x:a/>',
  'an undeclared prefix of an attribute': '<a x:b="1"/>',
  'a prefix declared empty': '<a xmlns:x=""/>',
  'the xml prefix for something else': '<a xmlns:xml="u"/>',
  'a name that begins with a digit': '<1a/>',
  'an unknown entity': '<a>&b;</a>',
  'an ampersand alone': '<a>& b</a>',
  'a reference to character zero': '<a>&#0;</a>',
  'a control character': '<a>\u0001</a>',
  'half a surrogate pair': '<a>\ud800</a>',
  'the end of a section in text': '<a>]]></a>',
  'two dashes in a comment': '<a><!-- -- --></a>',
  'a declaration after white space': ' <?xml version="1.0"?><a/>',
  'a declaration inside': '<a><?xml version="1.0"?></a>',
  'a document type': '<!DOCTYPE a><a/>',
  'a document type after the root': '<a/><!DOCTYPE a>',
  'a processing instruction': '<a><?b?></a>',
};

test.each(Object.entries(malformed))('%s is rejected', (_name, xml) => {
  expect(() => parseXml(xml)).toThrow(XmlError);
});

test('a fault has a reason and a position', () => {
  expect(() => parseXml('<a>\n  <b></c>\n</a>')).toThrow(
    /^The body is not well-formed XML: unexpected close tag.* \(line 2, column \d+\)\.$/,
  );
});

test.each([
  [
    'white space',
    '\n <?xml version="1.0"?><a/>',
    /white space precedes the XML declaration.*2\.8\) \(line 2/,
  ],
  ['a line break of Windows', '\r\n<?xml version="1.0"?><a/>', /white space precedes/],
  ['a comment', '<!-- b --><?xml version="1.0"?><a/>', /only at the very beginning.*2\.8/],
  ['white space and a comment', ' <!-- b --><?xml version="1.0"?><a/>', /very beginning/],
  ['another declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>', /only at the very/],
  ['an element', '<a><?xml version="1.0"?></a>', /only at the very beginning/],
  ['white space, and is no declaration', ' <?xml-stylesheet?><a/>', /processing instruction/],
])('a declaration after %s is reported as such', (_name, xml, message) => {
  expect(() => parseXml(xml)).toThrow(message);
});

describe('limits', () => {
  const { depth, elements, attributes, allAttributes, attributeLength } = xmlLimits;
  const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
  const wide = (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`;
  const listed = (count: number) =>
    `<a ${Array.from({ length: count }, (_, index) => `b${index}=""`).join(' ')}/>`;
  const listedInAll = (count: number) =>
    `<r>${'<a b="" c="" d=""/>'.repeat(Math.floor(count / 3))}<a ${['b=""', 'c=""'].slice(0, count % 3).join(' ')}/></r>`;
  const long = (length: number) => `<a b="${'x'.repeat(length)}"/>`;

  test.each([
    ['depth', nested, depth],
    ['elements', wide, elements],
    ['attributes', listed, attributes],
    ['the length of an attribute', long, attributeLength],
    ['the attributes of all elements', listedInAll, allAttributes],
  ] as const)('%s', (_name, make, most) => {
    expect(parseXml(make(most))).toBeDefined();
    expect(() => parseXml(make(most + 1))).toThrow(new RegExp(`more than ${most}\\b`));
  });

  test('are counted separately for each element', () => {
    const xml = `<r>${listed(attributes).repeat(3)}</r>`;
    expect(parseXml(xml).children.map((child: XmlElement) => child.attributes.length)).toEqual([
      attributes,
      attributes,
      attributes,
    ]);
  });
});

test('trimming removes only the white space of XML', () => {
  expect(trimXml(' \t\r\n a b \n')).toBe('a b');
  expect(trimXml('\u00a0a\ufeff')).toBe('\u00a0a\ufeff');
  expect(trimXml(' \n ')).toBe('');
});
