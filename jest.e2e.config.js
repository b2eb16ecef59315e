/** Specs on a real kube-apiserver, which is built at the first run (minutes) and cached, and specs in real time. */
module.exports = {
  ...require('./jest.config.js'),
  testMatch: ['<rootDir>/spec/e2e/**/*.e2e.ts'],
  testTimeout: 600_000,
};
