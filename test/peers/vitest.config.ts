import { defineConfig } from 'vitest/config'
import { alias, lowerStandardDecorators } from '../../vitest.config.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias },
  plugins: [lowerStandardDecorators],
  test: { name: 'peers', include: ['*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
})
