/** Specs of everything that needs only Node. The real API server has its own: jest.e2e.config.js. */
module.exports = {
  testEnvironment: 'node',
  // All cores: by default it leaves one out, which of two is half.
  maxWorkers: '100%',
  testMatch: ['<rootDir>/spec/**/*.spec.ts'],
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  // ESM-only packages that jest cannot require as they are.
  transformIgnorePatterns: [
    '/node_modules/(?!(@kubernetes/client-node|openid-client|oauth4webapi|jose|socks-proxy-agent|agent-base)/)',
  ],
};
