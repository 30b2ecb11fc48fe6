/**
 * Writes the index for language models in the format of llms.txt (llmstxt.org): Markdown with
 * absolute links.
 */

import type { Area } from '#kit/area.js';
import { groupAreas } from '#kit/front/area-groups.js';
import type { ImportedFile } from '#kit/offers/front-page.js';
import type { OperationSummary } from '#kit/route-catalogue.js';
import { type Guide, guidePath } from './guides/guides.js';

export interface LlmsTextParts {
  readonly areas: readonly Area[];
  readonly operations: readonly OperationSummary[];
  /** Guides, as Markdown. */
  readonly imports: readonly ImportedFile[];
  readonly guides: readonly Guide[];
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

export function writeLlmsText({
  areas,
  imports,
  operations,
  guides,
  baseUrl,
}: LlmsTextParts): string {
  const link = (title: string, path: string, says: string) =>
    `- [${title}](${baseUrl}${path}): ${says}`;
  const sectionOf = ({ name, title, summary, front }: Area) => [
    `### ${title}`,
    '',
    link('Begin here', front.start, summary),
    ...operations
      .filter(({ area }) => area === name)
      .map(({ method, path, summary: says }) =>
        // A path with names in braces is not a complete URL.
        method === 'GET' && !path.includes('{')
          ? link(`GET ${path}`, path, says)
          : `- \`${method} ${path}\`: ${says}`,
      ),
    '',
  ];
  const sections = groupAreas(areas).map(({ title, says, members }) => [
    ...[`## ${title}`, '', says, ''],
    ...members.flatMap(sectionOf),
  ]);
  const whereCredentials = areas.find(({ front }) => front.credentials)?.front.start;
  const credentials =
    whereCredentials === undefined
      ? ''
      : `Every test credential is at ${baseUrl}${whereCredentials}. `;
  return [
    '# Practice API',
    '',
    '> A service to practise API clients and tests against: GraphQL, REST, SOAP, webhooks, every HTTP method and authentication scheme, exactly as the RFCs say.',
    '',
    `Every path below begins with ${baseUrl}. Errors are JSON: {status, error, message}. ${credentials}The header X-Sandbox with any name, or /s/{name} before a path, selects a private copy of all data; ?delay= and ?error= simulate slowness and failures.`,
    '',
    '## Descriptions',
    '',
    link('OpenAPI', '/openapi.json', 'Every endpoint with its parameters, bodies and responses'),
    ...imports.map((each) => link(each.name, each.path, `${each.format}. ${each.for}`)),
    link(
      'Downloads',
      '/downloads',
      'A Postman collection, an .http file, and other files to import into tools',
    ),
    link('Areas', '/', 'What this service offers, as JSON'),
    '',
    '## Guides',
    '',
    ...guides.map(({ name, title, lead }) => link(title, `${guidePath(name)}.md`, lead)),
    '',
    ...sections.flat(),
  ].join('\n');
}
