/** The rules of Spectral for the description of this service: its own, and one of ours. */

import { schema } from '@stoplight/spectral-functions';
import { oas } from '@stoplight/spectral-rulesets';

export default {
  extends: [[oas, 'all']],
  rules: {
    // A service that anyone runs for themselves has nobody to write to.
    'info-contact': 'off',
    // OpenAPI 3.1 takes the SPDX identifier in its place.
    'license-url': 'off',
    // They stand in the order of a tour.
    'openapi-tags-alphabetical': 'off',
    'success-has-schema': {
      description: 'A successful answer says what its body is.',
      message: 'This answer has no schema; only 204, 205 and answers to HEAD may have none.',
      severity: 'error',
      given:
        "$.paths[*][?(@property !== 'head')].responses[?(@property.match(/^2/) && @property !== '204' && @property !== '205')]",
      // biome-ignore lint/suspicious/noThenProperty: the word of rulesets
      then: {
        function: schema,
        functionOptions: {
          schema: {
            type: 'object',
            required: ['content'],
            properties: {
              content: {
                type: 'object',
                minProperties: 1,
                additionalProperties: { type: 'object', required: ['schema'] },
              },
            },
          },
        },
      },
    },
  },
};
