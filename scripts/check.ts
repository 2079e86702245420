/** Runs every check that a change must pass besides `npm test`, and stops at the first one that fails. */
import { spawnSync } from 'node:child_process'

const steps = [
  ['format', 'format:check'],
  ['lint', 'lint'],
  ['build', 'build'],
  ['whole tests', 'test:rest'],
  ['type tests', 'test:types'],
  ['layout', 'layout'],
  ['regular expressions', 'regexps'],
  ['docs', 'docs'],
  ['package exports', 'exports'],
] as const

for (const [index, [step, script]] of steps.entries()) {
  console.log(`\n[${index + 1}/${steps.length}] ${step}: npm run ${script}`)
  const start = performance.now()
  const { status } = spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit' })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (status !== 0) {
    console.error(`\ncheck stopped: ${step} failed after ${seconds} s (npm run ${script})`)
    process.exit(1)
  }
  console.log(`${step}: ok, ${seconds} s`)
}
console.log(`\ncheck: all ${steps.length} steps passed`)
