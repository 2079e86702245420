/**
 * Kills exports, imports and copies of a large table again and again, resumes them, and fails when a row was lost, doubled or changed, or when
 * a command needed much memory. Then it pulls models of random tables, compiles them, and reads all rows by them.
 *
 *     npm run tool commands                                          # a million rows, 20 kills, 500 tables
 *     npm run tool commands -- --rows 20000 --kills 6 --tables 10 --seed 42
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startLocalService } from '@rowkey/local'
import { connect, DynamicEntity, EntityProperty } from 'rowkey'
import { modelFolder, pulledTables } from '../test/cli/model/pulled-tables.ts'
import { buildPrograms } from './built-programs.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '20' },
    tables: { type: 'string', default: '500' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
})
const rows = Number(values.rows)
const seed = Number(values.seed)
/** Megabytes that a command may have at once, whatever the size of the table. */
const MOST_MEMORY = 400

const program = 'packages/cli/src/command/main.ts'
const built = (await buildPrograms([program]))(program)
const service = await startLocalService({ port: 0 })
const target = service.connectionString
const account = connect(target)
const folder = await mkdtemp(join(tmpdir(), 'rowkey-nightly-'))
let peak = 0

/** Runs a command; with a time, kills it after so many milliseconds. Returns the exit code, `null` when it was killed. */
async function run(args: readonly string[], killAfter?: number): Promise<number | null> {
  const child = spawn(process.execPath, [built, ...args], {
    cwd: folder,
    env: { ...process.env, ROWKEY_TARGET: target, ROWKEY_PROFILES: '/nonexistent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 200)
  const timer =
    killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  clearTimeout(timer)
  return code
}

/** Runs a command to its end, and kills it several times before. */
async function runKilled(args: readonly string[], kills: number): Promise<void> {
  let killed = 0
  let pause = 1_500
  while (killed < kills) {
    if ((await run(args, pause)) !== null) break
    killed++
    pause += 1_000
  }
  const code = killed < kills ? 0 : await run(args)
  console.log(`${args[0]}: ${killed} kills, exit ${code}, at most ${Math.round(peak)} MB`)
  if (code !== 0) throw new RangeError(`${args.join(' ')} exited with ${code}`)
}

function* generated(): Generator<DynamicEntity> {
  for (let n = 0; n < rows; n++) {
    yield new DynamicEntity(
      `city-${String(Math.floor(n / 1_000)).padStart(5, '0')}`,
      `person-${n}`,
      {
        n,
        big: 2n ** 62n - BigInt(n),
        whole: EntityProperty.double(n),
        text: `text ${n}`,
      },
    )
  }
}

try {
  await account.createTable('people')
  await account.table('people').bulk().insert(generated())
  const third = Math.ceil(Number(values.kills) / 3)
  await runKilled(['export', 'people', 'people.ndjson'], third)
  await runKilled(['import', 'imported', 'people.ndjson', '--create'], third)
  await runKilled(['copy', 'people', '--to-table', 'copied', '--create'], third)
  for (const name of ['imported', 'copied']) {
    const code = await run(['diff', 'people', '--to-table', name])
    if (code !== 0) throw new RangeError(`people and ${name} differ: exit ${code}`)
  }
  if (peak > MOST_MEMORY) throw new RangeError(`A command had ${Math.round(peak)} MB at once.`)
  console.log(`${rows} rows: equal; at most ${Math.round(peak)} MB`)
  for (const name of ['people', 'imported', 'copied']) await account.deleteTable(name)
  const models = await modelFolder()
  const tables = { target, account, [Symbol.asyncDispose]: async () => {} }
  const wrong = await pulledTables(tables, models, { count: Number(values.tables), seed })
  await rm(models, { recursive: true })
  if (wrong.length > 0) throw new RangeError(`seed ${seed}:\n${wrong.join('\n')}`)
  console.log(`${values.tables} tables from seed ${seed}: each model compiles and reads all rows`)
} finally {
  await account.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
}
