/** Content of results: texts, an image of one pixel, and eight samples of silence. */

import type { JsonObject } from '#base/json-object.js';

export const text = (value: string): JsonObject => ({ type: 'text', text: value });

export const pixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mPgL8sDAAGLAPQCOPOGAAAAAElFTkSuQmCC';

export const silentWav = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';

export const image: JsonObject = { type: 'image', data: pixelPng, mimeType: 'image/png' };

export const audio: JsonObject = { type: 'audio', data: silentWav, mimeType: 'audio/wav' };
