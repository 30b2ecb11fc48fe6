/** Merges the areas' contributions to Postman collections and request files. */

import type { Area } from '#kit/area.js';
import type { RequestCollection } from '#kit/request-collection.js';

export type Gathered = Required<RequestCollection>;

/** With `isInside`, the base URL selects the sandbox. */
export function gatherCollections(areas: readonly Area[], isInside: boolean): Gathered {
  const parts = areas.flatMap(({ postman = [] }) => postman);
  function joined<Name extends Exclude<keyof RequestCollection, 'variables'>>(name: Name) {
    return Object.assign({}, ...parts.map((part) => part[name]));
  }
  const flows = parts.flatMap(({ flows: each = [] }) => each);
  const choosing = flows.filter(({ isSandboxChoice }) => isSandboxChoice);
  const others = flows.filter(({ isSandboxChoice }) => !isSandboxChoice);
  return {
    variables: (config) => Object.assign({}, ...parts.map(({ variables }) => variables?.(config))),
    presents: joined('presents'),
    adaptations: joined('adaptations'),
    pathValues: joined('pathValues'),
    leftOut: joined('leftOut'),
    leftOutOfFile: { ...joined('leftOut'), ...joined('leftOutOfFile') },
    scripts: joined('scripts'),
    fileValues: joined('fileValues'),
    endings: parts.flatMap(({ endings = [] }) => endings),
    lasting: parts.flatMap(({ lasting = [] }) => lasting),
    flows: isInside ? others : [...choosing, ...others],
  };
}
