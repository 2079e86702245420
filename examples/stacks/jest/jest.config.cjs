module.exports = { preset: 'ts-jest', testEnvironment: './tables-environment.cjs' }
