module.exports = { testMatch: ['<rootDir>/*.test.ts'] }
