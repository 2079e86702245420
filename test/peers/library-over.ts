import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { alias } from '../../vitest.config.ts'

/** The two packages that a library can stand on. */
export type Base = '@azure/data-tables' | '@rowkey/data-tables'

/** The official client refuses plain http unless each client allows it, which the libraries cannot say. */
const allowingHttp = (base: Base): string => `
  import * as tables from '${base}'
  export * from '${base}'
  const allowed = (options) => ({ ...options, allowInsecureConnection: true })
  export class TableClient extends tables.TableClient {
    static fromConnectionString(text, table, options) {
      return tables.TableClient.fromConnectionString(text, table, allowed(options))
    }
  }
  export class TableServiceClient extends tables.TableServiceClient {
    static fromConnectionString(text, options) {
      return tables.TableServiceClient.fromConnectionString(text, allowed(options))
    }
  }`

/** What the driver of unstorage imports and uses only without another credential. */
const UNUSED = /^@azure\/identity$/

/** Redirects the import of a library. */
const redirecting = (base: Base): Plugin => ({
  name: 'redirecting',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@azure\/data-tables$/ }, ({ namespace }) =>
      namespace === 'redirected' ? undefined : { path: base, namespace: 'redirected' },
    )
    onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({
      contents: 'export const DefaultAzureCredential = undefined',
    }))
    onLoad({ filter: /.*/, namespace: 'redirected' }, () => ({
      contents: allowingHttp(base),
      resolveDir: import.meta.dirname,
    }))
  },
})

/** Parts of Nest that it loads only if they are installed. */
const OPTIONAL = ['@nestjs/microservices', '@nestjs/websockets', '@nestjs/platform-express']

/**
 * Bundles a program over libraries with their import of `@azure/data-tables` redirected, and loads it.
 *
 * @param program - the source of a module
 * @param base - what the libraries stand on
 */
export async function loadOver<Module>(program: string, base: Base): Promise<Module> {
  const folder = await mkdtemp(join(tmpdir(), 'library-over-'))
  const outfile = join(folder, 'bundle.cjs')
  try {
    await build({
      stdin: { contents: program, resolveDir: import.meta.dirname },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      alias: { ...alias },
      external: [...OPTIONAL, ...OPTIONAL.map((name) => `${name}/*`), 'class-*', 'undici'],
      plugins: [redirecting(base)],
    })
    return createRequire(import.meta.url)(outfile)
  } finally {
    await rm(folder, { recursive: true })
  }
}
