/** Content blocks of text, images and documents. */

import { isObject } from '../../../../base/json-object.js';
import {
  fieldOf,
  filledText,
  type Kind,
  list,
  nullable,
  oneOf,
  pathTo,
  readPart,
  reject,
  required,
  text,
  truth,
} from '../fields.js';

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

export const visibleText: Kind<string> = {
  expected: 'a string with more than white space',
  accepts: (value): value is string => typeof value === 'string' && /\S/.test(value),
};

const base64: Kind<string> = {
  expected: 'base64',
  accepts: (value): value is string =>
    typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value),
};

const url: Kind<string> = {
  expected: 'a URL that begins with https:// or http://',
  accepts: (value): value is string =>
    typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
};

const imageTypes = oneOf(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the type of a block, which must be one of the given ones. */
export function typeOf<const Type extends string>(
  value: unknown,
  path: string,
  types: readonly Type[],
): Type {
  if (!isObject(value)) reject(path, 'This must be an object.');
  return required({ object: value, path }, 'type', oneOf(types));
}

export function readCacheControl(value: unknown, path: string): void {
  if (value === undefined) return;
  const part = readPart(value, path, ['type', 'ttl']);
  required(part, 'type', oneOf(['ephemeral']));
  nullable(part, 'ttl', oneOf(['5m', '1h']));
}

export function readText(value: unknown, path: string): TextBlock {
  const part = readPart(value, path, ['type', 'text', 'cache_control', 'citations']);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  nullable(part, 'citations', list);
  return { kind: 'text', text: required(part, 'text', visibleText), path };
}

export function readImage(value: unknown, path: string): ImageBlock {
  const part = readPart(value, path, ['type', 'source', 'cache_control', 'transformations']);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  const transformations = fieldOf(part, 'transformations');
  if (transformations !== undefined) {
    const options = readPart(transformations, pathTo(path, 'transformations'), ['oversized_image']);
    nullable(options, 'oversized_image', oneOf(['downsize', 'error']));
  }
  readImageSource(fieldOf(part, 'source'), pathTo(path, 'source'));
  return { kind: 'image', path };
}

function readImageSource(value: unknown, path: string): void {
  if (typeOf(value, path, ['base64', 'url']) === 'url') {
    required(readPart(value, path, ['type', 'url']), 'url', url);
    return;
  }
  const source = readPart(value, path, ['type', 'media_type', 'data']);
  required(source, 'media_type', imageTypes);
  required(source, 'data', base64);
}

/** Reads a document of text; the models read no PDF. */
export function readDocument(value: unknown, path: string): TextBlock {
  const part = readPart(value, path, [
    'type',
    'source',
    'cache_control',
    'citations',
    'context',
    'title',
  ]);
  readCacheControl(fieldOf(part, 'cache_control'), pathTo(path, 'cache_control'));
  const citations = fieldOf(part, 'citations');
  if (citations !== undefined) {
    nullable(readPart(citations, pathTo(path, 'citations'), ['enabled']), 'enabled', truth);
  }
  const texts = [
    nullable(part, 'title', text),
    nullable(part, 'context', text),
    readSource(fieldOf(part, 'source'), pathTo(path, 'source')),
  ];
  return { kind: 'text', text: texts.filter(Boolean).join('\n'), path };
}

function readSource(value: unknown, path: string): string {
  if (typeOf(value, path, ['text', 'content']) === 'text') {
    const source = readPart(value, path, ['type', 'media_type', 'data']);
    required(source, 'media_type', oneOf(['text/plain']));
    return required(source, 'data', filledText);
  }
  const content = fieldOf(readPart(value, path, ['type', 'content']), 'content');
  return readContent(content, pathTo(path, 'content'), ['text', 'image']);
}

const readers = { text: readText, image: readImage, document: readDocument } as const;

export type MediaType = keyof typeof readers;

export function readMedia(value: unknown, path: string, type: MediaType): Media {
  return readers[type](value, path);
}

/** Reads a string or a list of blocks; returns its texts, joined by line breaks. */
export function readContent(value: unknown, path: string, types: readonly MediaType[]): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) reject(path, 'This must be a string or an array of blocks.');
  return textOf(
    value.map((each, index) => {
      const at = pathTo(path, index);
      return readMedia(each, at, typeOf(each, at, types));
    }),
  );
}

export function textOf(blocks: readonly { readonly kind: string }[]): string {
  return blocks
    .filter((block): block is TextBlock => block.kind === 'text')
    .map(({ text }) => text)
    .join('\n');
}
