/** Content blocks of text, images and documents. */

import { array, byMember, object, type Shape } from '#kit/input/fields/parts.js';
import { either, mapped, nullable, type Reader, titled } from '#kit/input/fields/reader.js';
import { anything, boolean, choice, text } from '#kit/input/fields/values.js';
import { blockPath, filledText, reject, visibleText } from '../faults.js';

export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
  readonly path: string;
}

/** Images are accepted, not seen. */
export interface ImageBlock {
  readonly kind: 'image';
  readonly path: string;
}

export type Media = TextBlock | ImageBlock;

const base64 = text({ pattern: /^[A-Za-z0-9+/]+={0,2}$/, expected: 'base64' });

const urlStart = /^[hH][tT][tT][pP][sS]?:\/\//;
const url = text({
  pattern: urlStart,
  expected: 'a URL that begins with https:// or http://',
  examples: ['https://example.com/a.png'],
  accepts: (value) => URL.canParse(value),
});

export const cacheControl = nullable(
  object({ type: choice(['ephemeral']), ttl: nullable(choice(['5m', '1h'])) }),
);

const textBlock = mapped(
  object({
    type: anything,
    cache_control: cacheControl,
    citations: nullable(array(anything)),
    text: visibleText,
  }),
  (block, { path }): TextBlock => ({ kind: 'text', text: block.text, path: blockPath(path) }),
);

const imageTypes = choice(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

const imageBlock = mapped(
  object({
    type: anything,
    cache_control: cacheControl,
    transformations: nullable(object({ oversized_image: nullable(choice(['downsize', 'error'])) })),
    source: byMember('type', {
      base64: object({ type: anything, media_type: imageTypes, data: base64 }),
      url: object({ type: anything, url }),
    }),
  }),
  (_block, { path }): ImageBlock => ({ kind: 'image', path: blockPath(path) }),
);

const ofImages = {
  text: titled('LlmTextBlock', textBlock),
  image: titled('LlmImageBlock', imageBlock),
};

const textSource = mapped(
  object({ type: anything, media_type: choice(['text/plain']), data: filledText }),
  ({ data }) => data,
);

const contentSource = mapped(
  object({ type: anything, content: contentOf(ofImages) }),
  ({ content }) => content,
);

/** A document of text; the models read no PDF. */
const documentBlock = mapped(
  object({
    type: anything,
    cache_control: cacheControl,
    citations: nullable(object({ enabled: nullable(boolean) })),
    title: nullable(text()),
    context: nullable(text()),
    source: byMember('type', { text: textSource, content: contentSource }),
  }),
  ({ title, context, source }, { path }): TextBlock => {
    const texts = [title, context, source];
    return { kind: 'text', text: texts.filter(Boolean).join('\n'), path: blockPath(path) };
  },
);

export const media = { ...ofImages, document: titled('LlmDocumentBlock', documentBlock) };

/** Accepts a string or a list of blocks; returns its texts, joined by line breaks. */
export function contentOf(readers: Shape & Readonly<Record<string, Reader<Media>>>) {
  const blocks = array(byMember('type', readers));
  return either([text(), blocks], (field): string => {
    const { path, value } = field;
    if (typeof value === 'string') return value;
    if (!Array.isArray(value)) reject(path, 'This must be a string or an array of blocks.');
    return textOf(blocks(field));
  });
}

export function textOf(blocks: readonly { readonly kind: string }[]): string {
  return blocks
    .filter((block): block is TextBlock => block.kind === 'text')
    .map(({ text }) => text)
    .join('\n');
}
