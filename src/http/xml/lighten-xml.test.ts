import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { lightenXml } from './lighten-xml.js';
import { parseXml, type XmlElement } from './parse-xml.js';

test.each<[name: string, xml: string, light: string, sections?: string[]]>([
  ['plain elements', '<a b="1">x</a>', '<a b="1">x</a>'],
  ['a comment', '<a><!-- one -->x</a>', '<a><!---->x</a>'],
  ['a section', '<a><![CDATA[ <!-- x ]] ]]>y</a>', '<a><![CDATA[]]>y</a>', [' <!-- x ]] ']],
  ['a short section', '<a><![CDATA[x]]></a>', '<a><![CDATA[x]]></a>', ['x']],
  ['a comment in a comment', '<a><!-- one <!-- x --> --></a>', '<a><!---- x --> --></a>'],
  ['a section in a comment', '<a><!-- <![CDATA[ -->]]></a>', '<a><!---->]]></a>'],
  ['two dashes in a comment', '<a><!-- one--b --></a>', '<a><!----b --></a>'],
  ['an instruction', '<a><?note ???? ?></a>', '<a><?n?></a>'],
  ['the XML declaration', '<?xml version="1.0"\n?><a/>', '<?xml version="1.0" ?><a/>'],
  ['line ends and tabs in tags', '<a\n b="\t1\n>\n"\n>\n\t</a\n>', '<a  b=" 1 > " >\n\t</a >'],
  ['a quote in text', '<a>it\'s\n</a><b c="\n"/>', '<a>it\'s\n</a><b c=" "/>'],
  [
    'letters that look like line ends',
    '<a b="\n\u0a0a\u090a\u0109"/>',
    '<a b=" \u0a0a\u090a\u0109"/>',
  ],
  ['a comment without end', '<a><!-- - - -', '<a><!--'],
  ['a section without end', '<a><![CDATA[ ]]]]', '<a><![CDATA[', [' ]]]]']],
  ['an attribute without end', '<a b="\n<c d=\'\n', '<a b=" <c d=\' '],
])('%s', (_name, xml, light, sections = []) => {
  expect(lightenXml(xml, 100)).toMatchObject({ text: light, sections });
});

test('an index maps to its origin', () => {
  const xml = '<a><!-- one --><b>\n<![CDATA[ two ]]></b><c/></a>';
  const { text, originOf } = lightenXml(xml, 100);
  for (const place of ['<b>', '</b>', '<c/>']) {
    expect(originOf(text.indexOf(place) + 1)).toBe(xml.indexOf(place) + 1);
  }
});

test('after the maximum number of tags, the text is unchanged', () => {
  expect(lightenXml('<a><b><!-- one --><c><!-- two -->', 2).text).toBe(
    '<a><b><!----><c><!-- two -->',
  );
});

describe('a mebibyte of the most expensive input becomes very short:', () => {
  const mebibyte = 1024 * 1024;
  test.each([
    ['dashes in a comment', '<a><!--', '- ', '--></a>'],
    ['dashes in a comment without end', '<a><!--', '- ', ''],
    ['brackets in a section', '<a><![CDATA[', ']', ']]></a>'],
    ['brackets in a section without end', '<a><![CDATA[', ']] ', ''],
    ['question marks in an instruction', '<a><?b ', '?', ''],
  ])('%s', (_name, before, part, after) => {
    const xml = before + part.repeat(mebibyte / part.length) + after;
    expect(lightenXml(xml, 100).text.length).toBeLessThan(40);
  });

  test.each(['\n', '\t', '\t\n'])('and no %j remains in a tag', (part) => {
    const { text } = lightenXml(`<a b="${part.repeat(mebibyte / part.length)}`, 100);
    expect(text).toMatch(/^<a b=" +$/);
  });
});

/** Returns the tree of the parser itself; `undefined` for rejected input. */
function parseAlone(xml: string): XmlElement | undefined {
  const root = { children: [] as XmlElement[] };
  const open: { children: XmlElement[]; text?: string }[] = [root];
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element?.text !== undefined) element.text += text;
  };
  const reject = () => {
    throw new Error('refused');
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', reject);
  parser.on('doctype', reject);
  parser.on('processinginstruction', reject);
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentag', ({ uri, local, attributes }) => {
    const listed = Object.values(attributes).map((each) => ({
      namespace: each.uri,
      name: each.local,
      value: each.value,
    }));
    const element = { namespace: uri, name: local, attributes: listed, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => open.pop());
  try {
    parser.write(xml).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}

test('any XML is parsed, or rejected, as by the parser itself', () => {
  const part = fc.constantFrom(
    ...'<a> </a> <b/> <b <c\nd="1" c=\' " " > /> & &amp; x \n \t - -- --> ] ]]> ?> <? ?'.split(' '),
    ...[
      '<!--',
      '<!-- -->',
      '<!-->',
      '<![CDATA[',
      '<![CDATA[ ]]>',
      '<?x',
      '<?x ?>',
      '<!DOCTYPE a>',
      '<!x',
    ],
    ...['<a e="\n\t">', '<!-- <a> - -->', '<![CDATA[<a>]] ]]>', '雪', '😀', ' '],
  );
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isWrapped) => {
      const xml = isWrapped ? `<r>${parts.join('')}</r>` : parts.join('');
      const expected = parseAlone(xml);
      if (expected !== undefined) accepted++;
      let found: XmlElement | undefined;
      try {
        found = parseXml(xml);
      } catch {
        // Rejected
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
