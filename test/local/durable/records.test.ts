import { rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
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
import type { ClassicLevel } from 'classic-level'
import { describe, expect, it, vi } from 'vitest'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { logSize } from '../../../packages/local/src/durable/store-folder.ts'
import { bundleService, startProcess } from '../../../scripts/crash/service-process.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const [A, B, C] = [' a', ' b', ' c']

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
    const engine = createRequire(import.meta.url)('classic-level').ClassicLevel.prototype
    const { batch } = engine
    vi.spyOn(engine, 'batch').mockImplementationOnce(function (this: ClassicLevel) {
      const written = batch.call(this)
      const { write } = written
      written.write = async (options: object) => {
        await write.call(written, options)
        await rename(folder, `${folder}-moved`)
      }
      return written
    })
    const lost = records.commit((draft) => draft.put(A, 'there'))
    await expect(lost).rejects.toMatchObject({ code: 'StoreAccessFailed' })
    await rename(`${folder}-moved`, folder)
    await records.close()
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
