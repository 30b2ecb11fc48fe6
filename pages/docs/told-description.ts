/** The description in the form that the viewer gets: each operation works with the values it has. */

import {
  type Description,
  type Operation,
  operationsOf,
  type Parameter,
  type RequestBody,
  type Tag,
} from './description.js';
import { schemesToldToViewer } from './told-schemes.js';

/**
 * Adapts the description for the viewer, which would invent parameters where any may be sent, and
 * texts for the fields of a form. Removes the link of the license to another host.
 */
export function toldToViewer(description: Description): Description {
  const emptied = (parameter: Parameter) =>
    resolved(description, parameter.schema)?.type === 'object'
      ? { ...parameter, example: {} }
      : parameter;
  const shared = Object.entries(description.components.parameters);
  const components = {
    ...description.components,
    parameters: Object.fromEntries(shared.map(([name, each]) => [name, emptied(each)])),
    securitySchemes: schemesToldToViewer(description),
  };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { path, method, ...operation } of operationsOf(description)) {
    const parameters = operation.parameters?.map(emptied);
    const requestBody = withFormFilledIn(description, operation.requestBody);
    paths[path] ??= {};
    paths[path][method] = withNamedGuide({
      ...operation,
      ...(parameters && { parameters }),
      ...(requestBody && { requestBody }),
    });
  }
  const { license: _, ...info } = description.info;
  return {
    ...description,
    info,
    tags: description.tags.map((tag) => withNamedGuide(tag)),
    paths,
    components,
  };
}

/** The viewer shows the URL of a link without a text. */
function withNamedGuide<Part extends Pick<Tag, 'externalDocs'>>(part: Part): Part {
  const { externalDocs } = part;
  return externalDocs ? { ...part, externalDocs: { ...externalDocs, description: 'Guide' } } : part;
}

/** Gives each field of a form its value in the example, and leaves the others empty. */
function withFormFilledIn(
  description: Description,
  body: RequestBody | undefined,
): RequestBody | undefined {
  const { content = {}, ...rest } = resolved(description, body) ?? {};
  const isForm = (type: string) => /^(?:multipart\/|application\/x-www-form-urlencoded)/.test(type);
  if (!Object.keys(content).some(isForm)) return body;
  const entries = Object.entries(content).map(([type, media]) => {
    const schema = resolved(description, media.schema);
    if (!isForm(type) || schema?.properties === undefined) return [type, media];
    const values = (media.example ?? {}) as Readonly<Record<string, unknown>>;
    const properties = Object.entries(schema.properties).map(([name, property]) => {
      const { default: _, ...field } = resolved(description, property) ?? {};
      return [name, { ...field, example: values[name] ?? (field.type === 'array' ? [] : '') }];
    });
    const filledIn = { ...schema, properties: Object.fromEntries(properties) };
    return [type, { ...media, schema: filledIn }];
  });
  return { ...rest, content: Object.fromEntries(entries) };
}

/** Follows a reference to a component. */
export function resolved<Part extends { readonly $ref?: string }>(
  { components }: Description,
  part: Part | undefined,
): Part | undefined {
  const [kind = '', name = ''] = part?.$ref?.split('/').slice(-2) ?? [];
  const parts = components as unknown as Readonly<Record<string, Readonly<Record<string, Part>>>>;
  return part?.$ref === undefined ? part : parts[kind]?.[name];
}
