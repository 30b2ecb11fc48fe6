/** What many operations have alike (parameters, headers, responses) becomes a component that they refer to. */

import { STATUS_CODES } from 'node:http';
import type { Steps } from '../../base/run-steps.js';
import type { JsonObject } from './json.js';
import { mapInSteps, mapMembers } from './map-members.js';

/** From here on a part becomes a component. */
const minUses = 3;

const keep = (part: JsonObject): JsonObject => part;

type Replace = (part: JsonObject, hint: string) => JsonObject;

/** Components of one kind, by what they are. */
class SharedParts {
  readonly components: Record<string, JsonObject> = {};
  readonly #kind: string;
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(kind: string) {
    this.#kind = kind;
  }

  readonly count: Replace = (part) => {
    const text = JSON.stringify(part);
    this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1);
    return part;
  };

  readonly share: Replace = (part, hint) => {
    const text = JSON.stringify(part);
    if (part.$ref !== undefined || (this.#uses.get(text) ?? 0) < minUses) return part;
    let name = this.#names.get(text);
    if (name === undefined) {
      name = this.#freeName(hint);
      this.#names.set(text, name);
      this.components[name] = part;
    }
    return { $ref: `#/components/${this.#kind}/${name}` };
  };

  #freeName(hint: string): string {
    const words = hint.split(/[^a-z0-9]+/i).filter(Boolean);
    // In lower case, so that it is none of those that hold everywhere.
    const [first = 'part', ...others] = words.map(
      (word) => word.charAt(0).toUpperCase() + word.slice(1),
    );
    const base = [first.charAt(0).toLowerCase() + first.slice(1), ...others].join('');
    let name = base;
    for (let number = 2; Object.hasOwn(this.components, name); number++) name = base + number;
    return name;
  }
}

/** The same paths with references in place of what is shared, and the components by kind. */
export function* shareParts(paths: JsonObject): Steps<{
  paths: JsonObject;
  components: Readonly<Record<'parameters' | 'headers' | 'responses', JsonObject>>;
}> {
  const parameters = new SharedParts('parameters');
  const headers = new SharedParts('headers');
  const responses = new SharedParts('responses');
  yield* mapOperations(paths, parameters.count, headers.count, keep);
  const withHeaders = yield* mapOperations(paths, parameters.share, headers.share, keep);
  yield* mapOperations(withHeaders, keep, keep, responses.count);
  return {
    paths: yield* mapOperations(withHeaders, keep, keep, responses.share),
    components: {
      parameters: parameters.components,
      headers: headers.components,
      responses: responses.components,
    },
  };
}

function mapOperations(
  paths: JsonObject,
  parameter: Replace,
  header: Replace,
  response: Replace,
): Steps<JsonObject> {
  return mapInSteps(paths, (item) =>
    mapMembers(item, ({ parameters, responses, ...operation }) => ({
      ...operation,
      parameters: (parameters as readonly JsonObject[]).map((each) =>
        parameter(each, String(each.name)),
      ),
      responses: mapMembers(responses as JsonObject, ({ headers, ...answer }, status) =>
        // Where any other response is possible, it is described in place.
        (status === 'default' ? keep : response)(
          {
            ...answer,
            ...(headers !== undefined && { headers: mapMembers(headers as JsonObject, header) }),
          },
          STATUS_CODES[status] ?? 'answer',
        ),
      ),
    })),
  );
}
