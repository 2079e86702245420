/**
 * Checks what a release would publish: `npm run tool tarballs`, after a build. It prints the number of files and the size of each tarball, and
 * fails when one lacks a file that users need, or holds one that they do not.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** A tarball, as `npm pack --json` describes it. */
export interface Tarball {
  readonly name: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

const NEEDED: readonly string[] = [
  'LICENSE',
  'README.md',
  'package.json',
  'dist/index.mjs',
  'dist/index.cjs',
]
const HELD =
  /^(?:dist|src|docs)\/|^(?:LICENSE|README\.md|CHANGELOG\.md|THIRD-PARTY\.md|package\.json)$/

/** Says what is wrong with a tarball; nothing when users get what they need. */
export function tarballProblems({ name, files }: Tarball): readonly string[] {
  const paths = files.map(({ path }) => path)
  const missing = NEEDED.filter((path) => !paths.includes(path))
  const needless = paths.filter(
    (path) => !HELD.test(path) || /\.test\.ts$|^docs\/project\//.test(path),
  )
  return [
    ...missing.map((path) => `${name} lacks ${path}`),
    ...needless.map((path) => `${name} holds ${path}`),
  ]
}

if (process.argv[1] === import.meta.filename) {
  const args = ['pack', '--workspaces', '--dry-run', '--json', '--ignore-scripts', '--silent']
  const output = execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const tarballs: readonly Tarball[] = JSON.parse(output)
  for (const { name, size, files } of tarballs) {
    console.log(`${name}: ${files.length} files, ${Math.ceil(size / 1024)} KiB`)
  }
  const problems = tarballs.flatMap(tarballProblems)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
