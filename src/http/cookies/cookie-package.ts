import { requireLazily } from '../../base/require-lazily.js';

export const cookiePackage = requireLazily<typeof import('cookie')>('cookie');
