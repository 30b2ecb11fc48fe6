/** A schema as a list of its members, folded. */

import { element } from '../shared/element.js';
import { type Description, resolved, type Schema } from './description.js';
import { typeText } from './form/type-text.js';
import { withCode } from './inline-code.js';

/** Recursive schemas have no end. */
const maxDepth = 4;

/** Returns nothing for a schema without members. */
export function schemaView(description: Description, schema: Schema | undefined): HTMLElement[] {
  const list = membersOf(description, schema, 0);
  if (list === undefined) return [];
  return [element('details', { class: 'fold' }, element('summary', {}, 'Schema'), list)];
}

function membersOf(
  description: Description,
  schema: Schema | undefined,
  depth: number,
): HTMLElement | undefined {
  const found = mainOf(description, schema);
  const members = Object.entries(found.properties ?? {});
  if (members.length === 0 || depth >= maxDepth) return undefined;
  return element(
    'ul',
    { class: 'schema' },
    ...members.map(([name, member]) => {
      const says = resolved(description, member)?.description;
      const inner = membersOf(description, member, depth + 1);
      const isRequired = found.required?.includes(name);
      return element(
        'li',
        {},
        element('code', {}, name),
        element('small', {}, ` ${isRequired ? 'required · ' : ''}${typeText(description, member)}`),
        ...(says ? [element('span', { class: 'says' }, ...withCode(` ${says}`))] : []),
        ...(inner ? [inner] : []),
      );
    }),
  );
}

/** The schema with members: of an item, of parts, or of the first alternative. */
function mainOf(description: Description, schema: Schema | undefined): Schema {
  const found = resolved(description, schema) ?? {};
  if (found.properties !== undefined) return found;
  if (found.items !== undefined) return mainOf(description, found.items);
  if (found.allOf !== undefined) {
    const parts = found.allOf.map((part) => mainOf(description, part));
    return {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    };
  }
  const alternatives = (found.oneOf ?? found.anyOf ?? []).map((each) => mainOf(description, each));
  return alternatives.find(({ properties }) => properties !== undefined) ?? found;
}
