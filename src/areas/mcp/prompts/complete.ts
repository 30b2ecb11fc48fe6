/** Suggests values for arguments of prompts and of resource templates. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { collectionNames } from '#data/records.js';
import { Table } from '#state/rows/table.js';
import { invalidParams } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { recordTemplate, templates } from '../resources/resources.js';
import { findPrompt } from './prompts.js';

/** The protocol's limit. */
const maxValues = 100;

export async function complete(call: Call): Promise<JsonObject> {
  const { ref, argument } = call.params;
  if (!isObject(ref)) throw invalidParams('ref must be an object.');
  if (!isObject(argument)) throw invalidParams('argument must be an object.');
  const { name, value } = argument;
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw invalidParams('argument needs a name and a value, which are strings.');
  }
  const all = await valuesFor(call, ref, name);
  const matching = all.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
  return {
    completion: {
      values: matching.slice(0, maxValues),
      total: matching.length,
      hasMore: matching.length > maxValues,
    },
  };
}

async function valuesFor(call: Call, ref: JsonObject, name: string): Promise<readonly string[]> {
  if (ref.type === 'ref/prompt') {
    const prompt = await findPrompt(call, ref.name);
    return prompt.arguments?.find((each) => each.name === name)?.values ?? [];
  }
  if (ref.type !== 'ref/resource') {
    throw invalidParams('ref.type must be ref/prompt or ref/resource.');
  }
  if (!templates.some(({ uriTemplate }) => uriTemplate === ref.uri)) {
    throw invalidParams(`Unknown resource template: ${ref.uri}`);
  }
  if (ref.uri !== recordTemplate) return [];
  if (name === 'collection') return collectionNames;
  return name === 'id' ? idsIn(call) : [];
}

/** Returns the ids of the collection in the context, which exists since 2025-06-18. */
async function idsIn({ params, sandbox, parts }: Call): Promise<readonly string[]> {
  const { context } = params;
  const given = isObject(context) ? context.arguments : undefined;
  const wanted = isObject(given) ? given.collection : undefined;
  const collection = collectionNames.find((each) => each === wanted);
  if (collection === undefined) return [];
  const rows = await new Table(sandbox, parts.datasetOf(collection)).list();
  return rows.map(({ id }) => String(id));
}
