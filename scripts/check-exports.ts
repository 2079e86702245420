/**
 * What an installed package looks like from outside: publint and attw on the packed files of each
 * package, then one `import` and one `require` of it.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const tool = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url))

function run(where: string, what: string, command: string, args: readonly string[]): boolean {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: where, encoding: 'utf8' })
  if (status === 0) return true
  console.error(`${what} failed\n${stdout}${stderr}`)
  return false
}

let failures = 0
for (const name of readdirSync(packages)) {
  const where = `${packages}${name}`
  const loads = (verb: string) => `import('node:fs').then(({ readFileSync }) => {
    const { name } = JSON.parse(readFileSync('package.json', 'utf8'))
    return ${verb}(name)
  }).then((names) => { if (Object.keys(names).length === 0) process.exit(1) })`
  const results = [
    run(where, `${name}: publint`, tool('publint'), ['--strict']),
    run(where, `${name}: attw`, tool('attw'), ['--pack', '.', '--quiet']),
    run(where, `${name}: import`, process.execPath, ['--input-type=module', '-e', loads('import')]),
    run(where, `${name}: require`, process.execPath, [
      '--input-type=commonjs',
      '-e',
      loads('require'),
    ]),
  ]
  const failed = results.filter((ok) => !ok).length
  if (failed === 0) console.log(`${name}: publint, attw, import and require agree`)
  failures += failed
}
process.exitCode = failures === 0 ? 0 : 1
