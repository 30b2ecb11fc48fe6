/**
 * Serves the description as OpenAPI 3.1: the build writes it for default settings, the first
 * request for others.
 */

import { Type } from 'typebox';
import { lazily } from '#base/lazily.js';
import { runInTurns } from '#base/run-steps.js';
import { type AddressedContent, addressedContent } from '#http/caching/addressed-content.js';
import { fieldError } from '#http/http-error.js';
import { builtText } from '#kit/built-text.js';
import type { AppContext, Infrastructure } from '#kit/infrastructure.js';
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

interface Wanted {
  readonly formats?: Formats;
  readonly tag?: string;
}

function readDescription({ catalogue, config, variant }: AppContext, format: 'json' | 'yaml') {
  const contentType = `application/${format}`;
  const textOf = (formats: Formats) => {
    const name = formats === 'json' ? 'openapi.json' : `openapi.${formats}.json`;
    const make = async () => {
      const { writeDescription } = await import('./write-description.js');
      await catalogue.complete();
      return runInTurns(
        writeDescription(formats, catalogue.routes, config.accounts === 'required'),
      );
    };
    return builtText(variant, 'openapi.json', name, make);
  };
  // Kept, because services with unusual settings need most of a second to make it.
  const wholes = { json: lazily(() => textOf('json')), all: lazily(() => textOf('all')) };
  const makeText = async ({ formats = 'json', tag }: Wanted) => {
    if (tag === undefined && format === 'json') return textOf(formats);
    const { writeFrom } = await import('./write-description.js');
    const whole = await (tag === undefined ? textOf(formats) : wholes[formats]());
    return runInTurns(writeFrom(whole, format, tag));
  };
  // By format and tag.
  const contents = new Map<string, AddressedContent>();
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
      tag: Type.Optional(
        Type.String({ description: 'The name of a tag: the description has only its operations.' }),
      ),
    },
    content: 'An OpenAPI 3.1 document.',
    contentType,
    schema: Type.Unsafe({ type: 'object' }),
    async contentFor({ query }) {
      const wanted = query as Wanted;
      const { formats = 'json', tag } = wanted;
      if (tag !== undefined) await requireTag(catalogue, tag);
      const key = `${formats} ${tag ?? ''}`;
      const content =
        contents.get(key) ??
        addressedContent(`${contentType}; charset=utf-8`, () => makeText(wanted));
      contents.set(key, content);
      return content;
    },
  });
}

async function requireTag(catalogue: AppContext['catalogue'], tag: string): Promise<void> {
  await catalogue.complete();
  const { routes } = catalogue;
  if (routes.some(({ area }) => area.area.name === tag)) return;
  const known = [...new Set(routes.map(({ area }) => area.area.name))].join(', ');
  throw fieldError('tag', `tag must be one of ${known}; got "${tag.slice(0, 100)}".`);
}
