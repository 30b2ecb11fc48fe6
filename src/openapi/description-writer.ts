/** The texts of the description: made once, and then only given another base URL. */

import { stringify } from 'yaml';
import { lazily } from '../lazily.js';
import { describeService } from './describe-service.js';
import type { CataloguedRoute } from './route-catalogue.js';

/** Stands for the base URL of the request; nothing else looks like it. */
const placeholder = 'http://base-url.invalid';

export class DescriptionWriter {
  readonly #texts: Readonly<Record<'json' | 'yaml', () => string>>;

  constructor(routes: readonly CataloguedRoute[]) {
    const description = lazily(() =>
      describeService(routes, { baseUrl: placeholder, isAccountRequired: false }),
    );
    this.#texts = {
      json: lazily(() => JSON.stringify(description())),
      yaml: lazily(() => stringify(description(), { aliasDuplicateObjects: false, lineWidth: 0 })),
    };
  }

  /** `baseUrl` is one that {@link Services.baseUrlOf} has checked, and so needs no quotes in YAML. */
  write(format: 'json' | 'yaml', baseUrl: string): string {
    return this.#texts[format]().replaceAll(placeholder, () => baseUrl);
  }
}
