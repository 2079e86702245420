/**
 * Runs every check that a change must pass, and stops at the first one that fails: what ends soon comes first, and what needs a
 * build or a browser last. `.ci/run` does the same after a fresh install.
 */
import process from 'node:process'
import { runStages, type Step } from './check/run-stages.ts'

/** Returns the step that a script of package.json is. */
const script = (name: string): Step => ({ name, command: ['npm', 'run', '--silent', name] })

/** Returns the step that a tool is. */
const tool = (name: string, ...args: readonly string[]): Step => ({
  name,
  command: ['npm', 'run', '--silent', 'tool', '--', name, ...args],
})

/** `npm test` plays the seeds before. The hosted workflow and the nights play more. */
const HISTORIES = ['--seed', '101', '--histories', '300', '--workers', '1']

process.env.RANDOM_STEPS ??= '1'
process.env.ONE_CASE_IN ??= '1'

const passed = await runStages(
  [
    [
      { name: 'format and lint', command: ['npx', 'biome', 'check', '--error-on-warnings'] },
      script('build:types'),
    ],
    [script('test:types')],
    // Other people's clients mostly wait for time-outs.
    [script('test:peers'), script('test')],
    [
      tool('index-histories', ...HISTORIES),
      script('layout'),
      tool('regexps'),
      tool('requirements'),
    ],
    [script('build')],
    [
      script('site'),
      script('test:commands'),
      script('consumers'),
      tool('exports'),
      tool('tarballs'),
    ],
    [script('test:browsers')],
  ],
  (text) => process.stdout.write(text),
)
process.exitCode = passed ? 0 : 1
