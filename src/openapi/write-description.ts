/** The description as text. It names the service by a placeholder; see `src/server/addressed-content.ts`. */

import { Document, visit } from 'yaml';
import { placeholderBaseUrl, placeholderHost } from '../server/addressed-content.js';
import type { CataloguedRoute } from '../server/route-catalogue.js';
import { describeService } from './describe-service.js';
import type { JsonObject } from './json.js';
import { loadRecordedCalls } from './recorded-calls.js';

export function writeDescription(
  format: 'json' | 'yaml',
  routes: readonly CataloguedRoute[],
  isAccountRequired: boolean,
): string {
  const description = describeService(routes, {
    baseUrl: placeholderBaseUrl,
    isAccountRequired,
    recordedCalls: loadRecordedCalls(),
  });
  return format === 'json' ? JSON.stringify(description) : writeYaml(description);
}

function writeYaml(description: JsonObject): string {
  const document = new Document(description, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      const { value } = node;
      const isLine = typeof value === 'string' && !value.includes('\n');
      // The host that takes its place may be an IPv6 address, which without quotes is a list.
      if (isLine && value.includes(placeholderHost)) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 });
}
