import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRowkeyError } from '@rowkey/odata'
import {
  createTable,
  insertEntity,
  noRetry,
  perform,
  queryEntities,
  type TableService,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it, vi } from 'vitest'
import { CommitFile } from '../../../packages/local/src/durable/commits.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { logSize } from '../../../packages/local/src/durable/store-folder.ts'
import { bundleService, startProcess } from '../../../scripts/crash/service-process.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { afterNextWrite, ENGINE, failNextSync } from '../../support/engine-writes.ts'
import { openIn, temporaryFolder } from '../../support/local-folder.ts'

const [A, B, C] = [' a', ' b', ' c']

/** Returns the different permissions of the files in a folder. */
async function readersIn(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const modes = files.map(async ({ name }) => (await stat(join(folder, name))).mode & 0o777)
  return [...new Set(await Promise.all(modes))]
}

/** Fails a write, and then the opening that the next write needs: the engine is closed after that. */
async function closeEngine(records: Records, folder: string): Promise<void> {
  failNextSync()
  await expect(records.commit((draft) => draft.put(B, 'lost'))).rejects.toThrow('IO error: sync')
  const file = join(folder, 'rowkey-store.json')
  await rename(file, `${file}.away`)
  const refused = records.commit((draft) => draft.put(B, 'lost'))
  await expect(refused).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
  await rename(`${file}.away`, file)
}

describe('Records', () => {
  it('commits changes, and scans them in the order of their keys', async () => {
    const records = await Records.open(await temporaryFolder())
    await records.commit((draft) => {
      for (const key of [C, A, B]) draft.put(key, key)
    })
    await records.commit((draft) => draft.delete(B))
    const seen: string[] = []
    await records.scan({ low: A, high: C }, (text) => seen.push(text) > 0)
    expect(seen).toEqual([A])
    expect(await records.get(C)).toBe(C)
    expect(await records.get(B)).toBeUndefined()
    await records.close()
  })

  it('scans a long range, to the end or as far as the visitor wants', async () => {
    const records = await Records.open(await temporaryFolder())
    const keys = Array.from({ length: 3_000 }, (_, at) => ` ${String(at).padStart(4, '0')}`)
    await records.commit((draft) => {
      for (const key of keys) draft.put(key, key)
    })
    for (const count of [1, 15, 16, 17, 144, 145, 1_144, 1_145, keys.length + 1]) {
      const seen: string[] = []
      await records.scan({ low: ' ', high: '!' }, (_text, key) => seen.push(key) < count)
      expect(seen).toEqual(keys.slice(0, count))
    }
    await records.close()
  })

  it('scans as far as a visitor wants that answers later', async () => {
    const records = await Records.open(await temporaryFolder())
    const keys = Array.from({ length: 40 }, (_, at) => ` ${String(at).padStart(2, '0')}`)
    await records.commit((draft) => {
      for (const key of keys) draft.put(key, key)
    })
    for (const count of [1, 2, 30, 41]) {
      const seen: string[] = []
      await records.scan({ low: ' ', high: '!' }, async (text) => seen.push(text) < count)
      expect(seen).toEqual(keys.slice(0, count))
    }
    await records.close()
  })

  it('writes nothing for a change that changes nothing', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    const size = await logSize(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    await records.commit((draft) => draft.delete(B))
    expect(await logSize(folder)).toBe(size)
    await records.close()
  })

  it('rejects a write during which its folder was moved', async () => {
    const folder = join(await temporaryFolder(), 'store')
    const records = await Records.open(folder)
    afterNextWrite(() => rename(folder, `${folder}-moved`))
    const lost = records.commit((draft) => draft.put(A, 'there'))
    await expect(lost).rejects.toMatchObject({ code: 'StoreAccessFailed' })
    await rename(`${folder}-moved`, folder)
    await records.close()
  })

  it('ends each scan in the engine, also one whose visitor throws', async () => {
    const records = await Records.open(await temporaryFolder())
    await records.commit((draft) => {
      for (const key of [A, B, C]) draft.put(key, key)
    })
    const iterators = vi.spyOn(ENGINE, 'iterator')
    const all = { low: ' ', high: '!' }
    await records.scan(all, () => true)
    await records.scan(all, () => false)
    const failed = records.scan(all, () => {
      throw new RangeError('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(iterators.mock.results.length).toBe(3)
    for (const { value } of iterators.mock.results) {
      await expect(value.next()).rejects.toMatchObject({ code: 'LEVEL_ITERATOR_NOT_OPEN' })
    }
    iterators.mockRestore()
    await records.close()
  })

  it('reads and writes while a read opens the engine again', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    await closeEngine(records, folder)
    const open = CommitFile.open
    const seen: string[] = []
    let meanwhile: Promise<unknown>[] = []
    vi.spyOn(CommitFile, 'open').mockImplementationOnce(async (...of) => {
      const file = await open.apply(CommitFile, of)
      // The files are new, and the store does not know them yet.
      meanwhile = [
        records.get(A),
        records.scan({ low: A, high: B }, (text) => seen.push(text) > 0),
        records.commit((draft) => draft.put(C, 'there')),
      ]
      for (const _ of [1, 2, 3]) await new Promise(setImmediate)
      return file
    })
    expect(await records.get(A)).toBe('there')
    const [read] = await Promise.all(meanwhile)
    expect([read, seen, await records.get(C)]).toEqual(['there', ['there'], 'there'])
    await records.close()
  })

  it('closes what a read opens again at the same time', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    await closeEngine(records, folder)
    const read = records.get(A)
    await records.close()
    await expect(read).resolves.toBe('there')
    await (await Records.open(folder)).close()
  })

  it('closes while a read cannot open the engine again', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await closeEngine(records, folder)
    await rm(join(folder, 'CURRENT'))
    const refused = expect(records.get(A)).rejects.toMatchObject({ code: 'StoreCorrupted' })
    await records.close()
    await refused
    await expect(Records.open(folder)).rejects.toMatchObject({ code: 'StoreCorrupted' })
  })

  it.skipIf(process.platform === 'win32')(
    'lets only the owner read the files that the engine makes later',
    async () => {
      const folder = await temporaryFolder()
      const records = await Records.open(folder)
      const logs = async () => (await readdir(folder)).filter((name) => name.endsWith('.log'))
      const [first] = await logs()
      const put = (at: number) =>
        records.commit((draft) => draft.put(` ${at}`, 'x'.repeat(400_000)))
      for (let at = 0; (await logs()).includes(first ?? ''); at++) await put(at)
      await put(0)
      expect(await readersIn(folder)).toEqual([0o600])
      await chmod(join(folder, 'LOG'), 0o644)
      await records.close()
      expect(await readersIn(folder)).toEqual([0o600])
    },
  )

  it('makes no store in the folder that replaces its own, also for a read', async () => {
    const folder = join(await temporaryFolder(), 'store')
    const records = await Records.open(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    await closeEngine(records, folder)
    await rm(folder, { recursive: true })
    await mkdir(folder)
    await expect(records.get(A)).rejects.toMatchObject({ code: 'StoreAccessFailed' })
    await records.close()
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves no trial of the disk in the folder', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    failNextSync()
    await expect(records.commit((draft) => draft.put(A, 'lost'))).rejects.toThrow('IO error: sync')
    await records.commit((draft) => draft.put(A, 'there'))
    expect((await readdir(folder)).filter((name) => name.includes('trial'))).toEqual([])
    await records.close()
  })

  it('closes also when the number of commits cannot be recorded', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    await records.commit((draft) => draft.put(A, 'there'))
    const obstacle = join(folder, 'rowkey-store.json.new')
    await mkdir(obstacle)
    await records.close()
    await rm(obstacle, { recursive: true })
    const again = await Records.open(folder)
    expect(await again.get(A)).toBe('there')
    await again.close()
  })

  it.runIf(process.platform === 'linux')(
    'has each file open once, however often the engine was opened again, and none when closed',
    async () => {
      const folder = await temporaryFolder()
      const records = await Records.open(folder)
      const before = openIn(folder)
      for (const _ of [1, 2, 3]) {
        failNextSync()
        const lost = records.commit((draft) => draft.put(A, 'lost'))
        await expect(lost).rejects.toThrow('IO error: sync')
        await records.commit((draft) => draft.put(A, 'there'))
      }
      expect(openIn(folder).length).toBe(before.length)
      await records.close()
      expect(openIn(folder)).toEqual([])
    },
  )

  it.each(['opens the engine again', 'closes'])('ends a scan before it %s', async (then) => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    const keys = Array.from({ length: 40 }, (_, at) => ` ${String(at).padStart(2, '0')}`)
    await records.commit((draft) => {
      for (const key of keys) draft.put(key, key)
    })
    failNextSync()
    await expect(records.commit((draft) => draft.put(B, 'lost'))).rejects.toThrow('IO error: sync')
    /** Scans all keys, and lets others do a few things with files between two of them. */
    const scanSlowly = async (visit: (text: string) => void) => {
      const seen: string[] = []
      await records.scan({ low: ' ', high: ' a' }, async (text) => {
        visit(text)
        for (let at = 0; at < 10; at++) await stat(folder)
        return seen.push(text) > 0
      })
      return seen
    }
    let ended: Promise<unknown> | undefined
    let later: Promise<string[]> | undefined
    const seen = await scanSlowly((text) => {
      ended ??=
        then === 'closes' ? records.close() : records.commit((draft) => draft.put(C, 'there'))
      if (then !== 'closes' && text === keys.at(-1)) later = scanSlowly(() => undefined)
    })
    expect(seen).toEqual(keys)
    await ended
    expect((await later) ?? keys).toEqual(keys)
    if (then !== 'closes') await records.close()
  })

  it('waits for pending commits before it closes', async () => {
    const folder = await temporaryFolder()
    const records = await Records.open(folder)
    const written = records.commit((draft) => draft.put(A, 'there'))
    await records.close()
    await written
    const again = await Records.open(folder)
    expect(await again.get(A)).toBe('there')
    await again.close()
    const late = expect.objectContaining({ code: 'StoreClosed' })
    await expect(again.get(A)).rejects.toEqual(late)
    await expect(again.commit((draft) => draft.put(A, 'late'))).rejects.toEqual(late)
    await (await Records.open(folder)).close()
  })
})

describe('a folder that another process has open', () => {
  longTest(
    'is rejected until that process ends',
    async () => {
      const folder = await temporaryFolder()
      const other = await startProcess(await bundleService(), folder)
      await expect(Records.open(folder)).rejects.toMatchObject({ code: 'StoreLocked', folder })
      await other.kill()
      const records = await Records.open(folder)
      await records.close()
    },
    300_000,
  )
})

/** Inserts rows one after the other, and returns the outcome of each. */
async function insertMany(service: TableService, prefix: string): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>()
  for (let at = 0; at < 60; at++) {
    const key = { partitionKey: prefix, rowKey: String(at).padStart(3, '0') }
    const body = JSON.stringify({ noise: Buffer.alloc(3_000, at).toString('base64') })
    const whole = JSON.stringify({ ...JSON.parse(body), PartitionKey: prefix, RowKey: key.rowKey })
    const outcome = await perform(service, insertEntity, {
      table: 'people',
      key,
      body: whole,
    }).then(
      () => 'stored' as const,
      (error: unknown) => (isRowkeyError(error) ? error.code : 'other'),
    )
    outcomes.set(`${prefix}/${key.rowKey}`, outcome)
  }
  return outcomes
}

async function rowsOf(service: TableService): Promise<string[]> {
  const { entities } = await perform(service, queryEntities, { table: 'people' })
  return entities.map(({ PartitionKey, RowKey }) => `${PartitionKey}/${RowKey}`)
}

const isPosix = process.platform !== 'win32'

describe.runIf(isPosix)('a service whose files reach a size limit', () => {
  longTest(
    'responds 500 to failed writes, keeps all acknowledged ones, and recovers',
    async () => {
      const folder = await temporaryFolder()
      const bundle = await bundleService()
      const limited = await startProcess(bundle, folder, 100)
      const connect = (connectionString: string) =>
        tableService({ connectionString, retry: noRetry })
      const service = connect(limited.connectionString)
      await perform(service, createTable, { table: 'people' })
      const outcomes = await insertMany(service, 'p')
      const acknowledged = [...outcomes]
        .filter(([, outcome]) => outcome === 'stored')
        .map(([row]) => row)
      expect(new Set(outcomes.values())).toEqual(new Set(['stored', 'AmbiguousWrite']))
      expect(await rowsOf(service)).toEqual(acknowledged)
      await service.close()
      await limited.kill()

      const free = await startProcess(bundle, folder)
      const after = connect(free.connectionString)
      expect(await rowsOf(after)).toEqual(acknowledged)
      expect(new Set((await insertMany(after, 'q')).values())).toEqual(new Set(['stored']))
      await after.close()
      await free.kill()
    },
    300_000,
  )
})
