import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockFolder } from '../../../packages/local/src/durable/claim-folder.ts'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import { buildPrograms } from '../../../scripts/built-programs.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { storedRow } from '../../support/stored-row.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const locked = { code: 'StoreLocked' }

/** A folder with a table, so that the store has something to check. */
async function filledFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const store = new DurableStore({
    folder,
    flavour: 'storage',
    onOpen: () => {},
    report: expect.fail,
  })
  await store.createTable('contoso', 'people')
  const table = await store.findTable('contoso', 'people')
  const keys = Array.from({ length: 100 }, (_, at) => ({ partitionKey: 'p', rowKey: `${at}` }))
  for (const key of keys) {
    await table?.change([key], () => [storedRow(key, new DateTimeValue(0), new Map())])
  }
  await store.close()
  return folder
}

const program = 'test/support/open-store.ts'
const built = (await buildPrograms([program], 'stores'))(program)

/** Starts a process that opens the store on request and reports the outcome. */
function openElsewhere(folder: string) {
  const child = spawn(process.execPath, [built, folder], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => (await lines.next()).value
  return { child, next, go: () => child.stdin.write('go\n') }
}

describe('lockFolder', () => {
  longTest(
    'gives the folder to one of several processes, and an error to the others',
    async () => {
      const folder = await filledFolder()
      const openers = Array.from({ length: 3 }, () => openElsewhere(folder))
      for (const { next } of openers) expect(await next()).toBe('ready')
      for (const { go } of openers) go()
      const outcomes = await Promise.all(openers.map(({ next }) => next()))
      expect(outcomes.toSorted()).toEqual(['StoreLocked', 'StoreLocked', 'opened'])

      // The lock ends with the process, even if it is killed.
      const owner = openers[outcomes.indexOf('opened')]?.child
      owner?.kill('SIGKILL')
      await once(owner ?? expect.fail('no process has the lock'), 'exit')
      const unlock = await lockFolder(folder)
      await unlock()
    },
    60_000,
  )

  it('keeps out other threads, which do not know what this one has open', async () => {
    const folder = await temporaryFolder()
    const unlock = await lockFolder(folder)
    const program = `
      const { ClassicLevel } = require('classic-level')
      const { parentPort, workerData } = require('node:worker_threads')
      new ClassicLevel(workerData).open()
        .then(() => 'opened', (error) => error.cause.code)
        .then((outcome) => parentPort.postMessage(outcome))`
    const thread = new Worker(program, {
      eval: true,
      workerData: join(folder, 'rowkey-store.lock'),
    })
    const [outcome] = await once(thread, 'message')
    expect(outcome).toBe('LEVEL_LOCKED')
    await once(thread, 'exit')
    await unlock()
  })

  it('can be taken again after it was released, and not before', async () => {
    const folder = await temporaryFolder()
    const unlock = await lockFolder(folder)
    const files = () => readdir(join(folder, 'rowkey-store.lock'))
    const held = await files()
    await expect(lockFolder(folder)).rejects.toMatchObject(locked)
    // Another process could take a lock whose files were removed.
    expect(await files()).toEqual(expect.arrayContaining(held))
    await unlock()
    const again = await lockFolder(folder)
    await again()
  })

  it('replaces a damaged lock, which contains no data', async () => {
    const folder = await temporaryFolder()
    const unlock = await lockFolder(folder)
    await unlock()
    const lock = join(folder, 'rowkey-store.lock')
    for (const name of await readdir(lock)) await truncate(join(lock, name), 0)
    const again = await lockFolder(folder)
    await again()
  })
})
