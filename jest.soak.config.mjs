import config from './jest.config.mjs';

/** `npm run test:soak`: takes minutes, so it is no part of `npm test`. */
export default { ...config, testMatch: ['<rootDir>/test/soak/*.ts'], testTimeout: 30 * 60_000 };
