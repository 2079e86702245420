import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import type { Consumer, Result, Step } from './consumer.ts'
import { copyProject, type Sandbox, versionOf, writeRegistry } from './sandbox.ts'

/** No tool may take longer, in seconds. */
const LIMIT = 300

/** Copies the project of a consumer and runs its steps; the first that fails ends it. */
export async function runConsumer(consumer: Consumer, sandbox: Sandbox): Promise<Result> {
  const start = performance.now()
  const result = (outcome: Result['outcome'], version: string, output: string): Result => {
    return { consumer, version, outcome, output, seconds: (performance.now() - start) / 1000 }
  }
  const missing = consumer.missing?.()
  if (missing !== undefined) return result('skipped', '', missing)
  const folder = await copyProject(sandbox, consumer)
  if (consumer.isAlone) await writeRegistry(folder, sandbox)
  const version = await shownVersion(consumer, sandbox, folder)
  for (const step of consumer.steps) {
    const { code, output } = await runStep(step, folder, sandbox)
    if (code !== 0 || !isExpected(step, output))
      return result('failed', version, `${step.run.join(' ')}\n${output}`)
  }
  return result('passed', version, '')
}

function isExpected({ prints, mustNotPrint }: Step, output: string): boolean {
  return (prints?.test(output) ?? true) && !(mustNotPrint?.test(output) ?? false)
}

async function shownVersion(consumer: Consumer, sandbox: Sandbox, folder: string): Promise<string> {
  if (consumer.version !== undefined) {
    const { output } = await runStep({ run: consumer.version }, folder, sandbox)
    return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'unknown'
  }
  const names = consumer.versionsOf ?? []
  const versions = await Promise.all(names.map((name) => versionOf(sandbox, name)))
  return versions.join(', ')
}

interface Ended {
  /** `undefined` when it was ended. */
  readonly code: number | undefined
  readonly output: string
}

/** Without what `npm run` sets and what the user configures: both can hide warnings. */
function withoutNpm(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !/^npm_/i.test(name)))
}

/** In a group of its own, so that what it started ends with it. */
function runStep(step: Step, folder: string, sandbox: Sandbox): Promise<Ended> {
  const [command = '', ...args] = step.run
  const bin = join(sandbox.folder, 'node_modules', '.bin')
  const env: Record<string, string | undefined> = {
    ...withoutNpm(process.env),
    npm_config_userconfig: join(folder, 'no-user-config'),
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    CI: '1',
    NODE_PATH: undefined,
    NODE_OPTIONS: undefined,
    BUN_INSTALL_CACHE_DIR: join(folder, '.bun'),
    ...step.environment,
  }
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, { cwd: folder, env, detached: true })
    const keep = (chunk: Buffer): void => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      output += `\nended after ${LIMIT} s`
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, LIMIT * 1000)
    child.on('error', (error) => {
      clearTimeout(timer)
      resolve({ code: undefined, output: `${output}\n${error.message}` })
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve({ code: isLate || code === null ? undefined : code, output })
    })
  })
}
