/** The texts of the downloads: made once, and then only given another base URL. */

import type { Config } from '../config/settings.js';
import { lazily } from '../lazily.js';
import { describeService } from '../openapi/describe-service.js';
import { loadRecordedCalls, recordedHost } from '../openapi/recorded-calls.js';
import type { Area } from '../server/area.js';
import type { CataloguedRoute } from '../server/route-catalogue.js';
import { SampleCollector } from './collect-samples.js';
import { gatherCollections } from './gather-collections.js';
import { httpFile } from './http-file.js';
import { postmanCollection } from './postman-collection.js';

export type DownloadFormat = 'postman' | 'http';

export class DownloadWriter {
  readonly #texts: Readonly<Record<DownloadFormat, () => string>>;

  /** `defaults` are the settings that the calls were recorded with. */
  constructor(
    areas: readonly Area[],
    routes: readonly CataloguedRoute[],
    config: Config,
    defaults: Config,
  ) {
    const known = gatherCollections(areas);
    const demo = known.variables(defaults);
    const baseUrl = `http://${recordedHost}`;
    const isAccountRequired = config.accounts === 'required';
    // GET /api/auth tells no stranger what is in force where accounts are required.
    const credentials = isAccountRequired ? demo : known.variables(config);
    const collector = lazily(() => {
      const recordedCalls = loadRecordedCalls();
      const description = describeService(routes, { baseUrl, isAccountRequired, recordedCalls });
      return new SampleCollector(description, recordedCalls, known, demo);
    });
    this.#texts = {
      postman: lazily(() =>
        JSON.stringify(postmanCollection(collector(), baseUrl, known, credentials)),
      ),
      http: lazily(() => httpFile(collector(), baseUrl, known, credentials, isAccountRequired)),
    };
  }

  /** `baseUrl` is one that {@link Services.baseUrlOf} has checked, and so needs no quotes. */
  write(format: DownloadFormat, baseUrl: string): string {
    return this.#texts[format]()
      .replaceAll(`http://${recordedHost}`, () => baseUrl)
      .replaceAll(recordedHost, new URL(baseUrl).host);
  }
}
