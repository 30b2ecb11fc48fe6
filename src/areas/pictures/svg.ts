/** Writes SVG 2 as text, with escaped attributes and contents. */

import { escapeQuotedMarkup } from '#base/text/escape-markup.js';
import { fitText, type TextBox } from './fit-text.js';

/** Fonts of every system. */
export const sans = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes an element; `children` are elements that are already written. */
export function element(
  name: string,
  attributes: Attributes,
  children: readonly string[] = [],
): string {
  let written = name;
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) written += ` ${attribute}="${escapeSvgText(rounded(value))}"`;
  }
  return children.length === 0 ? `<${written}/>` : `<${written}>${children.join('')}</${name}>`;
}

/** Writes an element that contains `text`. */
export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, [escapeSvgText(text)]);
}

export const path = (d: string, attributes: Attributes) => element('path', { d, ...attributes });

export const circle = (cx: number, cy: number, r: number, attributes: Attributes) =>
  element('circle', { cx, cy, r, ...attributes });

export const rect = (x: number, y: number, width: number, height: number, attributes: Attributes) =>
  element('rect', { x, y, width, height, ...attributes });

export const ellipse = (cx: number, cy: number, rx: number, ry: number, attributes: Attributes) =>
  element('ellipse', { cx, cy, rx, ry, ...attributes });

type Stop = readonly [offset: number, color: string, opacity?: number];

/** Writes a gradient from the top left to `x2` and `y2`, as fractions of the filled shape. */
export function linearGradient(
  id: string,
  [x2, y2]: readonly [x2: number, y2: number],
  ...stops: readonly Stop[]
): string {
  return element(
    'linearGradient',
    { id, x1: 0, y1: 0, x2, y2 },
    stops.map(([offset, color, opacity]) =>
      element('stop', { offset, 'stop-color': color, 'stop-opacity': opacity }),
    ),
  );
}

/** Writes a gradient that fades from `color` in the centre to nothing at the edge. */
export function glow(id: string, color: string): string {
  return element('radialGradient', { id }, [
    element('stop', { offset: 0, 'stop-color': color, 'stop-opacity': 0.9 }),
    element('stop', { offset: 1, 'stop-color': color, 'stop-opacity': 0 }),
  ]);
}

type Point = readonly [x: number, y: number];

/** Writes lines of text, centred on `x`; `y` is the base line of the first. */
export function textLines(
  lines: readonly string[],
  [x, y]: Point,
  lineHeight: number,
  [family, size]: readonly [family: string, size: number],
  attributes: Attributes,
): string {
  return element(
    'text',
    { 'text-anchor': 'middle', 'font-family': family, 'font-size': size, ...attributes },
    lines.map((line, index) => textElement('tspan', { x, y: y + index * lineHeight }, line)),
  );
}

/** Writes a text in the largest font that fits a box with the centre `x` and `y`. */
export function textInBox(
  text: string,
  [x, y]: Point,
  box: TextBox,
  family: string,
  attributes: Attributes,
): string {
  const { lines, fontSize } = fitText(text, box);
  const lineHeight = fontSize * box.lineHeight;
  const firstY = y + fontSize * 0.35 - ((lines.length - 1) * lineHeight) / 2;
  return textLines(lines, [x, firstY], lineHeight, [family, fontSize], attributes);
}

export interface Picture {
  readonly viewBox: readonly [width: number, height: number];
  /** In pixels; the width of the view box by default. The height follows. */
  readonly width?: number;
  /** Text alternative of the image. */
  readonly title: string;
  readonly definitions: readonly string[];
  readonly content: readonly string[];
}

export function svgDocument(picture: Picture): string {
  const [innerWidth, innerHeight] = picture.viewBox;
  const { width = innerWidth, title, definitions, content } = picture;
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height: (innerHeight * width) / innerWidth,
    viewBox: `0 0 ${innerWidth} ${innerHeight}`,
    role: 'img',
  };
  const head = [textElement('title', {}, title), element('defs', {}, definitions)];
  return element('svg', attributes, [...head, ...content]);
}

/** Two decimals are finer than anyone can see. */
function rounded(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

/**
 * Also drops characters that XML 1.0 section 2.2 forbids: control characters, unpaired surrogates.
 */
export function escapeSvgText(text: string): string {
  return escapeQuotedMarkup(text).replace(
    /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '',
  );
}
