/** SVG 2 as text, whose attributes and contents are escaped by whoever makes an element: here. */

import { escapeQuotedMarkup } from '../../base/text/escape-markup.js';

export type Attributes = Readonly<Record<string, string | number>>;

/** An element; `children` are elements that have been made already. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes)
    .map(([attribute, value]) => ` ${attribute}="${escapeSvgText(rounded(value))}"`)
    .join('');
  return children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${children.join('')}</${name}>`;
}

/** An element that holds `text`. */
export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, [escapeSvgText(text)]);
}

export interface Gradient {
  readonly id: string;
  /** Where it ends, from 0 0 at the top left of what it fills; it begins there when not said. */
  readonly to: readonly [x: number, y: number];
  readonly stops: readonly (readonly [offset: number, color: string, opacity?: number])[];
}

export function linearGradient({ id, to: [x2, y2], stops }: Gradient): string {
  return element(
    'linearGradient',
    { id, x1: 0, y1: 0, x2, y2 },
    stops.map(([offset, color, opacity]) =>
      element('stop', {
        offset,
        'stop-color': color,
        ...(opacity !== undefined && { 'stop-opacity': opacity }),
      }),
    ),
  );
}

/** Fades from `color` in the middle to nothing at the edge. */
export function glow(id: string, color: string): string {
  return element('radialGradient', { id }, [
    element('stop', { offset: 0, 'stop-color': color, 'stop-opacity': 0.9 }),
    element('stop', { offset: 1, 'stop-color': color, 'stop-opacity': 0 }),
  ]);
}

/** Lines of text under each other, centred on `x`; `y` is the base line of the first. */
export function textLines(
  lines: readonly string[],
  { x, y, lineHeight, ...attributes }: Attributes & { x: number; y: number; lineHeight: number },
): string {
  return element(
    'text',
    { 'text-anchor': 'middle', ...attributes },
    lines.map((line, index) => textElement('tspan', { x, y: y + index * lineHeight }, line)),
  );
}

export interface Picture {
  /** The inner measures; `width` times them is what it takes when nothing else says. */
  readonly viewBox: readonly [width: number, height: number];
  /** In pixels; the height follows. */
  readonly width?: number;
  /** What the picture shows, for those who do not see it. */
  readonly title: string;
  readonly definitions: readonly string[];
  readonly content: readonly string[];
}

export function svgDocument({
  viewBox: [innerWidth, innerHeight],
  width = innerWidth,
  title,
  definitions,
  content,
}: Picture): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height: (innerHeight * width) / innerWidth,
    viewBox: `0 0 ${innerWidth} ${innerHeight}`,
    role: 'img',
  };
  const children = [textElement('title', {}, title)];
  if (definitions.length > 0) children.push(element('defs', {}, definitions));
  return element('svg', attributes, [...children, ...content]);
}

/** Two decimals are finer than anyone sees. */
function rounded(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

/** Also drops what XML 1.0 section 2.2 does not allow at all: control characters, lone surrogates. */
export function escapeSvgText(text: string): string {
  return escapeQuotedMarkup(text).replace(
    /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '',
  );
}
