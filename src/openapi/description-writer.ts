/** The texts of the description: made once, and then only given another base URL. */

import { Document, visit } from 'yaml';
import { lazily } from '../lazily.js';
import type { CataloguedRoute } from '../server/route-catalogue.js';
import { type DescriptionOptions, describeService } from './describe-service.js';
import type { JsonObject } from './json.js';
import { loadRecordedCalls, recordedHost } from './recorded-calls.js';

export class DescriptionWriter {
  readonly #texts: Readonly<Record<'json' | 'yaml', () => string>>;

  constructor(
    routes: readonly CataloguedRoute[],
    options: Pick<DescriptionOptions, 'isAccountRequired'>,
  ) {
    const description = lazily(() =>
      describeService(routes, {
        ...options,
        baseUrl: `http://${recordedHost}`,
        recordedCalls: loadRecordedCalls(),
      }),
    );
    this.#texts = {
      json: lazily(() => JSON.stringify(description())),
      yaml: lazily(() => writeYaml(description())),
    };
  }

  /** `baseUrl` is a valid URL, and so holds nothing that JSON or YAML would escape between quotes. */
  write(format: 'json' | 'yaml', baseUrl: string): string {
    const { host } = new URL(baseUrl);
    return this.#texts[format]()
      .replaceAll(`http://${recordedHost}`, () => baseUrl)
      .replaceAll(recordedHost, host);
  }
}

function writeYaml(description: JsonObject): string {
  const document = new Document(description, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      const { value } = node;
      const isLine = typeof value === 'string' && !value.includes('\n');
      // The host that takes its place may be an IPv6 address, which without quotes is a list.
      if (isLine && value.includes(recordedHost)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
