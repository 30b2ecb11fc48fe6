/** The texts of the description: made once, and then only given another base URL. */

import { stringify } from 'yaml';
import { lazily } from '../lazily.js';
import { describeService } from './describe-service.js';
import { loadRecordedCalls, recordedHost } from './recorded-calls.js';
import type { CataloguedRoute } from './route-catalogue.js';

export class DescriptionWriter {
  readonly #texts: Readonly<Record<'json' | 'yaml', () => string>>;

  constructor(routes: readonly CataloguedRoute[]) {
    const description = lazily(() =>
      describeService(routes, {
        baseUrl: `http://${recordedHost}`,
        isAccountRequired: false,
        recordedCalls: loadRecordedCalls(),
      }),
    );
    this.#texts = {
      json: lazily(() => JSON.stringify(description())),
      yaml: lazily(() => stringify(description(), { aliasDuplicateObjects: false, lineWidth: 0 })),
    };
  }

  /** `baseUrl` is one that {@link Services.baseUrlOf} has checked, and so needs no quotes in YAML. */
  write(format: 'json' | 'yaml', baseUrl: string): string {
    return this.#texts[format]()
      .replaceAll(`http://${recordedHost}`, () => baseUrl)
      .replaceAll(recordedHost, new URL(baseUrl).host);
  }
}
