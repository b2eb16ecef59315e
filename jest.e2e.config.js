/** Specs on a real kube-apiserver; it is built at the first run (minutes) and cached. */
module.exports = {
  ...require('./jest.config.js'),
  testMatch: ['<rootDir>/spec/e2e/**/*.e2e.ts'],
  testTimeout: 600_000,
};
