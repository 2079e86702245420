module.exports = { preset: 'ts-jest', testMatch: ['<rootDir>/*.test.ts'] }
