import { defineConfig, type UserConfig } from 'tsdown'
import { webTwin } from './scripts/web-twin.ts'

const base: UserConfig = {
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.18',
  tsconfig: 'tsconfig.json',
  dts: { oxc: true, sourcemap: false },
  deps: { neverBundle: [/^@rowkey\//, 'rowkey'], onlyBundle: [] },
  sourcemap: true,
  // How long a plugin took is no fault of the code.
  checks: { pluginTimings: false },
  failOnWarn: true,
}

export default defineConfig([
  // Each package twice, for `import` and for `require`; other packages stay outside the bundle.
  { ...base, workspace: ['packages/*'], entry: ['src/index.ts'], clean: true },
  // And rest once more for browsers and workers, without anything of Node; its types are the same.
  {
    ...base,
    cwd: 'packages/rest',
    entry: { web: 'src/index.ts' },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    dts: false,
    clean: false,
    plugins: [{ name: 'web-twins', resolveId: webTwin }],
  },
])
