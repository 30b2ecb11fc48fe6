/** Parts of the service's description (OpenAPI 3.1) that this page reads. */

export interface Description {
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly requestBodies?: Readonly<Record<string, RequestBody>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}

/** Operations by method, and their common parameters. */
export interface PathItem {
  readonly [method: string]: Operation | readonly Parameter[] | undefined;
  readonly parameters?: readonly Parameter[];
}

export interface Tag {
  readonly name: string;
  readonly 'x-displayName': string;
  readonly externalDocs?: Link;
}

interface Link {
  readonly url: string;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, DescribedResponse>>;
  readonly externalDocs?: Link;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  /** The methods of an endpoint that accepts any. */
  readonly 'x-methods'?: readonly string[];
}

/** Shared parameters are references. */
export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly contentMediaType?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface RequestBody {
  readonly $ref?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface DescribedResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  /** Present for OAuth 2.0. */
  readonly flows?: Readonly<Record<string, unknown>>;
}

export interface ListedOperation extends Operation {
  readonly path: string;
  readonly method: string;
}

/**
 * Returns operations with the parameters of their path, and the guide of their tag unless they have
 * their own.
 */
export function operationsOf({
  paths,
  tags,
}: Pick<Description, 'paths' | 'tags'>): ListedOperation[] {
  const guides = new Map(tags.map(({ name, externalDocs }) => [name, externalDocs]));
  return Object.entries(paths).flatMap(([path, { parameters: common = [], ...methods }]) =>
    Object.entries(methods as Readonly<Record<string, Operation>>).map(([method, operation]) => {
      const parameters = [...common, ...(operation.parameters ?? [])];
      const externalDocs = operation.externalDocs ?? guides.get(operation.tags[0] ?? '');
      return { ...operation, ...(externalDocs && { externalDocs }), parameters, path, method };
    }),
  );
}

/** Follows references to components. */
export function resolved<Part extends { readonly $ref?: string }>(
  { components }: Pick<Description, 'components'>,
  part: Part | undefined,
): Part | undefined {
  const parts = components as unknown as Readonly<Record<string, Readonly<Record<string, Part>>>>;
  let found = part;
  while (found?.$ref !== undefined) {
    const [kind = '', name = ''] = found.$ref.split('/').slice(-2);
    found = parts[kind]?.[name];
  }
  return found;
}
