/** Removes from results what a revision does not have. */

import { isObject, type JsonObject } from '#base/json-object.js';
import type { Revision } from '../messages/revision.js';

/** Members by the revision that introduced them. */
const introduced: Readonly<Record<string, Revision>> = {
  title: '2025-06-18',
  outputSchema: '2025-06-18',
  structuredContent: '2025-06-18',
  icons: '2025-11-25',
  execution: '2025-11-25',
};

/** Lists in results whose items are definitions. */
const lists = ['tools', 'resources', 'resourceTemplates', 'prompts', 'arguments'];

function fitDefinition(definition: unknown, revision: Revision, isTool: boolean): unknown {
  if (!isObject(definition)) return definition;
  const kept = Object.entries(definition).filter(([name]) => {
    const first = isTool && name === 'annotations' ? '2025-03-26' : introduced[name];
    return first === undefined || revision >= first;
  });
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      name === 'arguments' && Array.isArray(value)
        ? value.map((each) => fitDefinition(each, revision, false))
        : value,
    ]),
  );
}

function fitContent(content: unknown, revision: Revision): unknown {
  if (!isObject(content)) return content;
  const { type, annotations } = content;
  if (type === 'audio' && revision < '2025-03-26') {
    return { type: 'text', text: 'Audio, which this revision cannot carry.' };
  }
  if (type === 'resource_link' && revision < '2025-06-18') {
    return { type: 'text', text: String(content.uri) };
  }
  if (!isObject(annotations) || revision >= '2025-06-18') return content;
  const { lastModified: _lastModified, ...older } = annotations;
  return { ...content, annotations: older };
}

/** Returns a result as a revision before 2026-07-28 has it. */
export function fitResult(result: JsonObject, revision: Revision): JsonObject {
  const fitted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(result)) {
    if (name === 'resultType') continue;
    const first = introduced[name];
    if (first !== undefined && revision < first) continue;
    if (Array.isArray(value) && lists.includes(name)) {
      fitted[name] = value.map((each) => fitDefinition(each, revision, name === 'tools'));
    } else if (Array.isArray(value) && name === 'content') {
      fitted[name] = value.map((each) => fitContent(each, revision));
    } else {
      fitted[name] = value;
    }
  }
  return fitted;
}
