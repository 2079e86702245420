/**
 * Installs Rowkey from its tarballs into small projects, one for each tool, and runs what the tool does
 * there: `npm run consumers` runs three, `--all` every one, names only those. `--write` writes
 * the table of docs/project/compatibility.md. Build first.
 */
import process from 'node:process'
import type { Consumer, Result, ToolSet } from './consumer.ts'
import { CONSUMERS, OF_EACH_LANDING } from './consumers.ts'
import { startRegistry } from './registry.ts'
import { runConsumer } from './run-consumer.ts'
import { openSandbox, packPackages, type Sandbox } from './sandbox.ts'
import { writeTable } from './table.ts'

/** As many as the machine has cores to spare. */
const AT_ONCE = 2

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
const unknown = [
  ...args.filter((arg) => arg.startsWith('--') && arg !== '--all' && arg !== '--write'),
  ...names.filter((name) => !CONSUMERS.some((consumer) => consumer.name === name)),
]
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}\nknown: ${CONSUMERS.map((c) => c.name).join(', ')}`)
  process.exit(2)
}

const chosen = names.length > 0 ? names : OF_EACH_LANDING
const wanted = args.includes('--all')
  ? CONSUMERS
  : CONSUMERS.filter(({ name }) => chosen.includes(name))
const results = await runAll(wanted)
if (args.includes('--write')) {
  await writeTable(
    results,
    CONSUMERS.map(({ tool }) => tool),
  )
}
const count = (outcome: Result['outcome']) => results.filter((r) => r.outcome === outcome).length
console.log(
  `\nconsumers: ${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`,
)
process.exitCode = count('failed') === 0 ? 0 : 1

async function runAll(consumers: readonly Consumer[]): Promise<readonly Result[]> {
  const tarballs = await packPackages()
  const registry = await startRegistry(tarballs)
  try {
    return await runWith(consumers, tarballs, registry.url)
  } finally {
    registry.close()
  }
}

async function runWith(
  consumers: readonly Consumer[],
  tarballs: readonly string[],
  registry: string,
): Promise<readonly Result[]> {
  const sandboxes = new Map<ToolSet, Sandbox>()
  for (const set of new Set(consumers.map((consumer) => consumer.set))) {
    console.log(`installing the ${set} tools`)
    sandboxes.set(set, await openSandbox(set, tarballs, registry))
  }
  const waiting = [...consumers]
  const ended = new Map<Consumer, Result>()
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runConsumer(next, sandboxes.get(next.set) as Sandbox)
      print(result)
      ended.set(next, result)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return consumers.map((consumer) => ended.get(consumer) as Result)
}

function print({ consumer, outcome, output, seconds }: Result): void {
  console.log(`${outcome}: ${consumer.name}, ${seconds.toFixed(1)} s`)
  if (output !== '') console.log(output.replaceAll(/^/gm, '  '))
}
