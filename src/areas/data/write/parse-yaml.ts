/**
 * Parses YAML bodies. Composing a document compares each key of a mapping with all others, and creates an error object
 * for each error. So the tokens are counted first, and parsing stops at the first malformed token.
 */

import type { CST } from 'yaml';
import { requireLazily } from '#base/require-lazily.js';
import { countValues } from '../patch/count-values.js';

const yaml = requireLazily<typeof import('yaml')>('yaml');

/** The response lists at most one error for each value. */
const maxValues = 1_000;

/** Each collection may end with an item without a value. */
const maxItems = 2 * maxValues;
const indicators: ReadonlySet<string> = new Set(['[', '{', '-', '?', ':', ',']);
/** A value has at most a question mark, a colon, a bracket and a comma. */
const maxIndicators = 5 * maxValues;
const propertyTypes: ReadonlySet<string> = new Set(['anchor', 'tag', 'comma']);
/** Each key and each value has at most one anchor and one tag, and a comma follows most values. */
const maxProperties = 5 * maxValues;
const maxDirectives = 100;
const maxBadEscapes = 100;

class YamlFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Parses one document with values of JSON, as YAML 1.2. Rejects aliases, which could multiply the size. */
export function parseYaml(text: string): unknown {
  try {
    const value = compose(text).toJS({ maxAliasCount: 0 }) as unknown;
    if (countValues(value, maxValues) > maxValues) throw tooManyValues();
    return value;
  } catch (error) {
    if (error instanceof YamlFault)
      throw new Error(`${error.message}${placeOf(text, error.offset)}`);
    throw error;
  }
}

function compose(text: string) {
  const { Composer } = yaml();
  const composer = new Composer({ prettyErrors: false, logLevel: 'error' });
  const tokens = checkTokens(parseTokens(text));
  const [document, other] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error('No document');
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) throw new YamlFault(fault.message, fault.pos[0]);
  if (other !== undefined) {
    throw new YamlFault('Source contains multiple documents', other.range[0]);
  }
  return document;
}

/** Stops early, because building a tree of 65,000 brackets takes long. */
function* parseTokens(text: string): Generator<CST.Token> {
  const { Lexer, Parser } = yaml();
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (indicators.has(lexeme) && ++count > maxIndicators) throw tooManyValues();
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

/** Passes tokens up to the first malformed one. Throws if there are too many. */
function* checkTokens(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let documents = 0;
  let directives = 0;
  for (const token of tokens) {
    if (token.type === 'directive' && ++directives > maxDirectives) {
      throw new Error(`More than ${maxDirectives} directives`);
    }
    if (token.type === 'document') {
      checkDocument(token);
      documents++;
    }
    yield token;
    // A second document is reported, whatever it contains.
    if (token.type === 'error' || documents === 2) return;
  }
}

/** Counts without recursion, because a text of 64 KiB can nest 65,000 levels deep. */
function checkDocument({ start, value }: CST.Document): void {
  let items = 0;
  let properties = 0;
  let badEscapes = 0;
  const countProperties = (tokens: readonly CST.SourceToken[] = []) => {
    for (const { type } of tokens) if (propertyTypes.has(type)) properties++;
    if (properties > maxProperties)
      throw new Error(`More than ${maxProperties} anchors, tags and commas`);
  };
  const nodes = [value];
  countProperties(start);
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    badEscapes += countBadEscapes(node);
    if (badEscapes > maxBadEscapes) throw new Error(`More than ${maxBadEscapes} invalid escapes`);
    if (!('items' in node)) continue;
    items += node.items.length;
    if (items > maxItems) throw tooManyValues();
    for (const item of node.items) {
      countProperties(item.start);
      countProperties(item.sep);
      if (item.key) nodes.push(item.key);
      if (item.value) nodes.push(item.value);
    }
  }
}

function countBadEscapes(node: CST.Token): number {
  let count = 0;
  if (node.type === 'double-quoted-scalar') {
    yaml().CST.resolveAsScalar(node, true, (_offset, code) => {
      if (code === 'BAD_DQ_ESCAPE') count++;
    });
  }
  return count;
}

function tooManyValues(): Error {
  return new Error(`More than ${maxValues} values`);
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
