/**
 * Serves the description as OpenAPI 3.1: the build writes it for default settings, the first
 * request for others.
 */

import { Type } from 'typebox';
import { runInTurns } from '../../base/run-steps.js';
import { addressedContent } from '../../http/caching/addressed-content.js';
import { builtText } from '../../kit/built-text.js';
import type { AppContext, Infrastructure } from '../../kit/infrastructure.js';
import { addressedFile } from '../addressed-file.js';
import { type Formats, formatChoices } from './formats.js';

export const openapiRoutes: Infrastructure = {
  name: 'openapi',
  title: 'OpenAPI',
  guide: 'openapi',
  summary: 'OpenAPI descriptions of this service: /openapi.json and /openapi.yaml.',
  front: { start: '/openapi.json' },
  endpoints: (context) => [readDescription(context, 'json'), readDescription(context, 'yaml')],
};

function readDescription({ catalogue, config, variant }: AppContext, format: 'json' | 'yaml') {
  const contentType = `application/${format}`;
  const contentWith = (formats: Formats) => {
    const name = formats === 'json' ? `openapi.${format}` : `openapi.${formats}.${format}`;
    const make = async () => {
      const { writeDescription } = await import('./write-description.js');
      const isAccountRequired = config.accounts === 'required';
      return runInTurns(writeDescription(format, formats, catalogue.routes, isAccountRequired));
    };
    return addressedContent(`${contentType}; charset=utf-8`, () => builtText(variant, name, make));
  };
  const contents = { json: contentWith('json'), all: contentWith('all') };
  return addressedFile({
    path: `/openapi.${format}`,
    summary: `Get this description as ${format.toUpperCase()}`,
    description:
      'Made from the schemas of the routes. Its server URL is the base URL of the request.',
    query: {
      formats: Type.Optional(
        Type.String({
          enum: [...formatChoices],
          description:
            'With `json`, the default, bodies have JSON and one short example. With `all`, they have every format and every example.',
        }),
      ),
    },
    content: 'An OpenAPI 3.1 document.',
    contentType,
    schema: Type.Unsafe({ type: 'object' }),
    contentFor: ({ query }) => contents[(query as { formats?: Formats }).formats ?? 'json'],
  });
}
