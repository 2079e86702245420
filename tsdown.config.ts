import { defineConfig } from 'tsdown'

/** Each package twice, for `import` and for `require`; other packages stay outside the bundle. */
export default defineConfig({
  workspace: ['packages/*'],
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.18',
  tsconfig: 'tsconfig.json',
  dts: { oxc: true, sourcemap: false },
  deps: { neverBundle: [/^@rowkey\//, 'rowkey'], onlyBundle: [] },
  sourcemap: true,
  clean: true,
  // How long a plugin took is no fault of the code.
  checks: { pluginTimings: false },
  failOnWarn: true,
})
