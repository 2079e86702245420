/**
 * Runs every check that a change must pass besides `npm test`, and stops at the first one that fails. The checks of a stage
 * need the stages before, and run three at a time: most use one core, and some wait for a browser or an installation.
 *
 * With `--tests` it begins with the tests, and plays all steps of random tests.
 */
import { type ChildProcess, spawn } from 'node:child_process'

const AT_ONCE = 3

const withTests = process.argv.includes('--tests')

/** The checks: what each is called, and its script. */
const stages: readonly Readonly<Record<string, string>>[] = [
  ...(withTests ? [{ tests: 'test' }] : []),
  { format: 'format:check', lint: 'lint', build: 'build' },
  // Not beside the site: both unpack the same browser.
  { 'tests of commands': 'test:commands', studio: 'test:studio' },
  {
    // The longest begin first.
    histories: 'test:histories',
    site: 'site',
    consumers: 'consumers',
    'package exports': 'exports',
    'regular expressions': 'regexps',
    layout: 'layout',
    'type tests': 'test:types',
  },
]
const count = stages.flatMap((stage) => Object.keys(stage)).length
const running = new Set<ChildProcess>()

for (const stage of stages) {
  const waiting = Object.entries(stage)
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await check(...next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
console.log(`\ncheck: all ${count} steps passed`)

/** Runs a check. Its output comes when it has ended, so that it does not mix with that of another. */
async function check(name: string, script: string): Promise<void> {
  console.log(`${name}: npm run ${script}`)
  const start = performance.now()
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { RANDOM_STEPS: '1', ...process.env },
  })
  running.add(child)
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => output.push(chunk))
  }
  const status = await new Promise((resolve) => child.on('close', resolve))
  running.delete(child)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  process.stdout.write(Buffer.concat(output))
  if (status !== 0) {
    for (const other of running) other.kill()
    console.error(`\ncheck stopped: ${name} failed after ${seconds} s (npm run ${script})`)
    process.exit(1)
  }
  console.log(`${name}: ok, ${seconds} s`)
}
