/** The description in the form that the viewer gets: each operation works with the values it has. */

import {
  type Description,
  type Operation,
  operationsOf,
  type Parameter,
  type RequestBody,
  type Schema,
  type Tag,
} from './description.js';
import { firstStepOf } from './first-steps.js';
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
  for (const listed of operationsOf(description)) {
    const { path, method, ...operation } = listed;
    const step = firstStepOf(listed);
    const parameters = operation.parameters?.map((each) => {
      const whole = resolved(description, each) ?? each;
      return step?.parameters.includes(whole.name ?? '') ? toEnter(whole) : emptied(each);
    });
    const requestBody = withFormFilledIn(description, operation.requestBody);
    const isClientInForm = namesClient(description, operation.requestBody);
    paths[path] ??= {};
    paths[path][method] = withNamedGuide({
      ...operation,
      // A client authenticates only once: in the form, or with the filled-in credentials.
      ...(isClientInForm && { security: [] }),
      ...(step && {
        description: [step.sentence, operation.description].filter(Boolean).join(' '),
      }),
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

/** The viewer marks a required parameter without a value. */
function toEnter({ example: _, ...parameter }: Parameter): Parameter {
  return parameter;
}

function namesClient(description: Description, body: RequestBody | undefined): boolean {
  const { content = {} } = resolved(description, body) ?? {};
  return Object.values(content).some(({ example }) => Object.hasOwn(Object(example), 'client_id'));
}

/** Gives each field of a form its value in the example, and leaves the others empty. */
function withFormFilledIn(
  description: Description,
  body: RequestBody | undefined,
): RequestBody | undefined {
  if (body === undefined) return undefined;
  const { content = {}, ...rest } = resolved(description, body) ?? {};
  const isForm = (type: string) => /^(?:multipart\/|application\/x-www-form-urlencoded)/.test(type);
  const isOptional = !rest.required;
  const entries = Object.entries(content).map(([type, media]) => {
    const schema = resolved(description, media.schema);
    const values = Object(media.example) as Readonly<Record<string, unknown>>;
    if (!isForm(type) || (schema?.properties ?? media.example) === undefined) {
      // The viewer would invent a body.
      return [type, isOptional && media.example === undefined ? { ...media, example: '' } : media];
    }
    // The viewer sends the example of a form with any fields as JSON.
    const text: Schema = { type: 'string' };
    const any = Object.fromEntries(Object.keys(values).map((name) => [name, text]));
    const properties = Object.entries(schema?.properties ?? any).map(([name, property]) => {
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
