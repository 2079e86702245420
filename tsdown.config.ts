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
  // The handlers for msw are an entry of their own, since msw is installed by those who want it.
  { ...base, workspace: ['packages/*'], entry: ['src/{index,table-handlers}.ts'], clean: true },
  // The command runs by itself, and is nobody's import.
  {
    ...base,
    cwd: 'packages/rowkey',
    entry: { command: 'src/command/main.ts' },
    format: 'esm',
    dts: false,
    clean: false,
  },
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
