// Checks the types of all numbered examples, compiles them, and compares what each prints with its expected.txt.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const examples = readdirSync('.').filter((name) => /^\d/.test(name))
const mains = examples.map((name) => `${name}/main.ts`)

await run('tsc', [
  ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--target', 'es2022', '--lib', 'es2023,esnext.disposable', '--module', 'nodenext'],
  ...['--resolveJsonModule', '--types', 'node', ...mains],
]).catch(fail)
await run('esbuild', [
  ...mains,
  ...['--bundle', '--packages=external', '--platform=node', '--format=esm', '--target=es2022'],
  ...['--outdir=out', '--outbase=.', '--out-extension:.js=.mjs', '--keep-names'],
]).catch(fail)

for (const name of examples) {
  const { stdout } = await run(process.execPath, [`out/${name}/main.mjs`]).catch(fail)
  const expected = readFileSync(`${name}/expected.txt`, 'utf8')
  if (stdout !== expected) throw new Error(`${name} printed:\n${stdout}\ninstead of:\n${expected}`)
}
console.log(`${examples.length} examples print what they should`)

function fail({ stdout, stderr, message }) {
  throw new Error(`${message}\n${stdout}\n${stderr}`)
}
