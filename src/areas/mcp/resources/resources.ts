/** Resources: the first records of each collection, and fixed ones. */

import type { JsonObject } from '#base/json-object.js';
import { pictureFields, withPictureUrls } from '#data/picture-address.js';
import { collectionNames, declarations } from '#data/records.js';
import { Table } from '#state/rows/table.js';
import { isSince } from '../messages/revision.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import type { Call } from '../model/call.js';
import { pixelPng } from '../model/content.js';
import { parseRecordUri, recordUri } from '../model/record-uri.js';

/** Records of each collection in the list. */
const listedRecords = 10;

export const recordTemplate = 'practice://{collection}/{id}';
const watchedUri = 'test://watched-resource';

export const templates: readonly (JsonObject & { readonly uriTemplate: string })[] = [
  {
    uriTemplate: recordTemplate,
    name: 'record',
    title: 'Record',
    description: 'A record of a collection in this sandbox.',
    mimeType: 'application/json',
  },
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template-data',
    description: 'Data for an id.',
    mimeType: 'application/json',
  },
];

interface Fixed {
  readonly definition: JsonObject & { readonly uri: string };
  readonly content: JsonObject;
}

const fixed: readonly Fixed[] = [
  {
    definition: {
      uri: 'test://static-text',
      name: 'static-text',
      description: 'A text that never changes.',
      mimeType: 'text/plain',
    },
    content: { text: 'This is the content of the static text resource.' },
  },
  {
    definition: {
      uri: 'test://static-binary',
      name: 'static-binary',
      description: 'An image of one pixel.',
      mimeType: 'image/png',
      size: Buffer.from(pixelPng, 'base64').length,
    },
    content: { blob: pixelPng },
  },
  {
    definition: {
      uri: watchedUri,
      name: 'watched-resource',
      description: 'Changes with the tool touch_watched_resource.',
      mimeType: 'text/plain',
    },
    content: { text: 'Subscribe to this resource.' },
  },
];

export async function allResources({ sandbox, parts }: Call): Promise<readonly JsonObject[]> {
  const lists = await Promise.all(
    collectionNames.map(async (collection) => {
      const rows = await new Table(sandbox, parts.datasetOf(collection)).list();
      const { type } = declarations[collection];
      return rows.slice(0, listedRecords).map(({ id }) => ({
        uri: recordUri(collection, id),
        name: `${collection}/${id}`,
        title: `${type} ${id}`,
        description: `A record of the collection ${collection}.`,
        mimeType: 'application/json',
      }));
    }),
  );
  return [...fixed.map(({ definition }) => definition), ...lists.flat()];
}

const templatePattern = /^test:\/\/template\/([^/]{1,100})\/data$/;

export async function readResource(call: Call): Promise<JsonObject> {
  const { uri } = call.params;
  if (typeof uri !== 'string') throw new RpcError(codes.invalidParams, 'uri must be a string.');
  const content = await contentOf(call, uri);
  if (content !== undefined) return { contents: [{ uri, ...content }] };
  const code = isSince(call.revision, '2026-07-28') ? codes.invalidParams : codes.resourceNotFound;
  throw new RpcError(code, 'Resource not found', { uri });
}

async function contentOf(
  { sandbox, parts, baseUrl }: Call,
  uri: string,
): Promise<JsonObject | undefined> {
  const known = fixed.find(({ definition }) => definition.uri === uri);
  if (known !== undefined) {
    return { mimeType: known.definition.mimeType, ...known.content };
  }
  const [, id] = templatePattern.exec(uri) ?? [];
  if (id !== undefined) {
    return jsonContent({ id, templateTest: true, data: `Data for ID: ${id}` });
  }
  const address = parseRecordUri(uri);
  if (address === undefined) return undefined;
  const row = await new Table(sandbox, parts.datasetOf(address.collection)).get(address.id);
  if (row === undefined) return undefined;
  const pictures = pictureFields(declarations[address.collection].fields);
  return jsonContent(withPictureUrls(row, pictures, () => baseUrl));
}

const jsonContent = (value: object) => ({
  mimeType: 'application/json',
  text: JSON.stringify(value),
});
