/** Compiles examples, snippets of documents and scripts once, so that plain Node runs them. */
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
/** Inside the repository, where Node finds the packages that programs import. */
const cache = join(root, 'node_modules', '.cache', 'rowkey-programs')

/**
 * Compiles programs with the sources of all packages, which they share.
 *
 * @param programs - their files, relative to the root of the repository
 * @param user - who compiles them: two users may run at the same time
 * @returns a function that gives the compiled file of a program
 */
export async function buildPrograms(
  programs: readonly string[],
  user = 'tests',
): Promise<(program: string) => string> {
  const folder = join(cache, user)
  await build({
    absWorkingDir: root,
    entryPoints: [...programs],
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    tsconfig: join(root, 'examples', 'tsconfig.json'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Programs print the names of classes.
    keepNames: true,
    // The annotations of a package name its built files; these are its sources.
    ignoreAnnotations: true,
    logLevel: 'warning',
  })
  return (program) => join(folder, program.replace(/\.ts$/, '.mjs'))
}
