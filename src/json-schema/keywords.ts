/** Keywords of JSON Schema draft 2020-12 that callers may use, with the form of their values. */

export type Form =
  | 'schema'
  | 'schemas'
  | 'named schemas'
  | 'number'
  | 'names'
  | 'names by name'
  | 'values'
  | 'type'
  | 'format'
  | 'pattern'
  | 'reference'
  | 'draft'
  | 'anything';

const byForm: Readonly<Record<Form, readonly string[]>> = {
  schema: [
    ...['not', 'if', 'then', 'else', 'items', 'contains', 'propertyNames'],
    ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ],
  schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  'named schemas': ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
  number: [
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'],
    ...['minProperties', 'maxProperties'],
  ],
  names: ['required'],
  'names by name': ['dependentRequired'],
  values: ['enum'],
  type: ['type'],
  format: ['format'],
  pattern: ['pattern'],
  reference: ['$ref'],
  draft: ['$schema'],
  anything: [
    ...['const', 'uniqueItems', 'title', 'description', 'default', 'examples', 'deprecated'],
    ...['readOnly', 'writeOnly', '$comment'],
    ...['contentEncoding', 'contentMediaType', 'contentSchema'],
  ],
};

export const formOf: ReadonlyMap<string, Form> = new Map(
  Object.entries(byForm).flatMap(([form, keywords]) =>
    keywords.map((keyword) => [keyword, form as Form] as const),
  ),
);

export const draft = 'https://json-schema.org/draft/2020-12/schema';

export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];
