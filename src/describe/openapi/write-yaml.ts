/**
 * Writes the description as YAML in steps; as one document it would block for hundreds of
 * milliseconds.
 */

import { Document, visit } from 'yaml';
import { isObject } from '#base/json-object.js';
import type { Steps } from '#base/run-steps.js';
import { placeholderHost } from '#http/caching/addressed-content.js';
import type { JsonObject, JsonValue } from './json.js';

/** Depth at which members are written whole: an operation, or a component. */
const stepDepth = 3;

const indentation = '  ';

/** Yields the text that the library would write for the whole object. */
export function* writeYaml(object: JsonObject, depth = 1): Steps<string> {
  const parts: string[] = [];
  for (const [key, member] of Object.entries(object)) {
    if (depth < stepDepth && hasMembers(member)) {
      const [line = ''] = writeWhole({ [key]: { member: '' } }).split('\n', 1);
      const below = yield* writeYaml(member, depth + 1);
      parts.push(line, '\n', indent(below));
    } else {
      parts.push(writeWhole({ [key]: member }));
      yield;
    }
  }
  return parts.join('');
}

function hasMembers(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && Object.keys(value).length > 0;
}

function indent(text: string): string {
  return text.replaceAll(/(^|\n)(?=[^\n])/g, `$1${indentation}`);
}

function writeWhole(object: JsonObject): string {
  const document = new Document(object, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      const { value } = node;
      const isLine = typeof value === 'string' && !value.includes('\n');
      // The real host may be an IPv6 address, which YAML would parse as a list without quotes.
      if (isLine && value.includes(placeholderHost)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
