/** Removes parts of XML that have no meaning and are ten times as expensive to parse as words. */

export interface LightXml {
  readonly text: string;
  /** Contents of CDATA sections in order, also those that were removed from the text. */
  readonly sections: readonly string[];
  /** Maps an index of the text to the original. */
  readonly originOf: (index: number) => number;
}

/** A tag, as far as it may be one: a `>` inside quotes does not end it. */
const tag = /<[^<>"']*(?:"[^"<]*"?[^<>"']*|'[^'<]*'?[^<>"']*)*/y;

/** Removing less would cost more than parsing it. */
const minCutLength = 4;

/**
 * `xml` must have no characters that XML forbids. After `maxTags` tags the rest is unchanged,
 * because the parser will reject the document before.
 */
export function lightenXml(xml: string, maxTags: number): LightXml {
  const sections: string[] = [];
  const cuts: { readonly at: number; readonly length: number }[] = [];
  let text = '';
  let copied = 0;
  let tags = 0;

  /** Removes the text between two indexes. */
  function cut(start: number, end: number): void {
    text += xml.slice(copied, start);
    copied = end;
    cuts.push({ at: text.length, length: end - start });
  }

  for (let at = xml.indexOf('<'); at >= 0 && tags <= maxTags; at = xml.indexOf('<', at)) {
    const section = sectionAt(xml, at);
    if (section !== undefined) {
      const start = at + section.open.length;
      const end = indexOrEnd(xml, section.close, start);
      if (section.isText) sections.push(xml.slice(start, end));
      if (end - start >= minCutLength) cut(start, end);
      at = end;
      continue;
    }
    tags++;
    tag.lastIndex = at;
    const [found = '<'] = tag.exec(xml) ?? [];
    if (/[\n\t]/.test(found)) {
      text += xml.slice(copied, at) + withSpaces(found);
      copied = at + found.length;
    }
    at += found.length;
  }
  text += xml.slice(copied);
  return {
    text,
    sections,
    originOf: (index) =>
      cuts.reduce((origin, { at, length }) => (at < index ? origin + length : origin), index),
  };
}

/** A regular expression would need longer for a million line ends than the parser. */
function withSpaces(text: string): string {
  const units = Buffer.from(text, 'utf16le');
  for (let at = 0; at < units.length; at += 2) {
    const isHigh = units[at + 1] !== 0;
    if (!isHigh && (units[at] === 0x0a || units[at] === 0x09)) units[at] = 0x20;
  }
  return units.toString('utf16le');
}

const comment = { open: '<!--', close: '--', isText: false };
const cdata = { open: '<![CDATA[', close: ']]>', isText: true };
// The letter is its name, without which it would be malformed in another way.
const instruction = { open: '<?x', close: '?>', isText: false };

function sectionAt(xml: string, at: number) {
  const next = xml[at + 1];
  if (next === '?') return at === 0 ? undefined : instruction;
  if (next !== '!') return undefined;
  if (xml.startsWith(comment.open, at)) return comment;
  return xml.startsWith(cdata.open, at) ? cdata : undefined;
}

function indexOrEnd(xml: string, searched: string, from: number): number {
  const index = xml.indexOf(searched, from);
  return index < 0 ? xml.length : index;
}
